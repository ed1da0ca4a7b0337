import { GLOBAL_VALUE_FLAGS, quoted, type CompletedFlag, type Grammar, type Value } from './grammar.ts';

/** Marks a file argument in a script. */
export const FILE_MARK = '<file>';

/** The lines of a shell function with one `case` branch per command. */
export function caseFunction(
  name: string,
  subject: string,
  branches: readonly (readonly [pattern: string, lines: readonly string[]])[],
): string {
  const shown = branches.filter(([, lines]) => lines.length > 0);
  const body = shown.map(([pattern, lines]) => `    ${pattern}) printf '%s\\n' ${lines.map(quoted).join(' ')} ;;`);
  return [`${name}() {`, `  case "${subject}" in`, ...body, '    *) return 1 ;;', '  esac', '}'].join('\n');
}

/** One branch per set of flag values; free text is an empty line. */
export function valueBranches({ places }: Grammar): (readonly [string, readonly string[]])[] {
  return places.flatMap(({ path, flags }) =>
    flags.flatMap((flag): (readonly [string, readonly string[]])[] => {
      const lines = valueLines(flag.value);
      return lines === undefined
        ? []
        : [
            [
              spellings(flag)
                .map((spelling) => quoted(`${path} ${spelling}`))
                .join('|'),
              lines,
            ],
          ];
    }),
  );
}

/** Completions for a value; undefined if there are none. */
export function valueLines(value: Value): readonly string[] | undefined {
  if (value.kind === 'none') return undefined;
  if (value.kind === 'words') return value.words;
  return [value.kind === 'file' ? FILE_MARK : ''];
}

const spellings = ({ name, char }: CompletedFlag): string[] => [`--${name}`, ...(char === undefined ? [] : [`-${char}`])];

/** A script for bash 3.2 and later, to be sourced. It starts no process and writes nothing. */
export function bashScript(grammar: Grammar): string {
  const { bin, places } = grammar;
  const branch = (lines: (place: Grammar['places'][number]) => readonly string[]) =>
    places.map((place) => [quoted(place.path), lines(place)] as const);
  return `# Completion of ${bin} for bash, printed by \`${bin} completion bash\`. Read it with: eval "$(${bin} completion bash)"

${caseFunction(
  `_${bin}_next`,
  '$1',
  branch(({ next }) => next.map(({ word }) => word)),
)}

${caseFunction(
  `_${bin}_flags`,
  '$1',
  branch(({ flags }) => flags.map(({ name }) => `--${name}`)),
)}

${caseFunction(
  `_${bin}_arguments`,
  '$1',
  branch(({ argument }) => valueLines(argument) ?? []),
)}

${caseFunction(`_${bin}_values`, '$1 $2', valueBranches(grammar))}

${bashFunctions(bin)}
`;
}

function bashFunctions(bin: string): string {
  return `_${bin}_offer() {
  local line
  while IFS= read -r line; do
    if [[ $line == '${FILE_MARK}' ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do
        [[ -n $line ]] && COMPREPLY+=("$line")
      done <<< "$(compgen -f -- "$1")"
    elif [[ -n $line && $line == "$1"* ]]; then
      COMPREPLY+=("$(printf '%q' "$line")")
    fi
  done <<< "$2"
}

_${bin}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}" path='' word values i
  COMPREPLY=()
  if [[ $cur == '=' ]]; then
    cur=''
  elif [[ $prev == '=' ]]; then
    prev="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in
      ${GLOBAL_VALUE_FLAGS.join(' | ')})
        [[ \${COMP_WORDS[i + 1]} == '=' ]] && i=$((i + 1))
        i=$((i + 1))
        ;;
      -* | '=') ;;
      *)
        case $'\\n'"$(_${bin}_next "$path")"$'\\n' in
          *$'\\n'"$word"$'\\n'*) path="\${path:+$path }$word" ;;
          *) break ;;
        esac
        ;;
    esac
  done
  if [[ $prev == -* ]] && values="$(_${bin}_values "$path" "$prev")"; then
    _${bin}_offer "$cur" "$values"
  elif [[ $cur == -* ]]; then
    _${bin}_offer "$cur" "$(_${bin}_flags "$path")"
  else
    _${bin}_offer "$cur" "$(_${bin}_next "$path")"
    _${bin}_offer "$cur" "$(_${bin}_arguments "$path")"
  fi
}
complete -F _${bin} ${bin}`;
}

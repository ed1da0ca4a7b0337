import { caseFunction, FILE_MARK, valueBranches, valueLines } from './bash.ts';
import { GLOBAL_VALUE_FLAGS, quoted, type Grammar } from './grammar.ts';

/** A script for zsh, to be sourced after `compinit`, or installed as the file `_lore` in a folder of `fpath`. */
export function zshScript(grammar: Grammar): string {
  const { bin, places } = grammar;
  const branch = (lines: (place: Grammar['places'][number]) => readonly string[]) =>
    places.map((place) => [quoted(place.path), lines(place)] as const);
  return `#compdef ${bin}
# Completion of ${bin} for zsh, printed by \`${bin} completion zsh\`. Read it after compinit with: eval "$(${bin} completion zsh)"

${caseFunction(
  `_${bin}_next`,
  '$1',
  branch(({ next }) => next.map(({ word, summary }) => `${word}:${summary}`)),
)}

${caseFunction(
  `_${bin}_flags`,
  '$1',
  branch(({ flags }) => flags.map(({ name, summary }) => `--${name}:${summary}`)),
)}

${caseFunction(
  `_${bin}_arguments`,
  '$1',
  branch(({ argument }) => valueLines(argument) ?? []),
)}

${caseFunction(`_${bin}_values`, '$1 $2', valueBranches(grammar))}

${zshFunctions(bin)}
`;
}

function zshFunctions(bin: string): string {
  return `_${bin}_offer() {
  local -a lines
  lines=("\${(@f)1}")
  if (( \${lines[(Ie)${FILE_MARK}]} )); then
    _files
  else
    lines=(\${lines:#})
    (( $#lines )) && compadd -- $lines
  fi
}

_${bin}() {
  local prev=\${words[CURRENT-1]} cur=\${words[CURRENT]} place='' word values i
  local -a lines
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    case $word in
      ${GLOBAL_VALUE_FLAGS.join('|')}) ((i++)) ;;
      -*) ;;
      *)
        lines=("\${(@f)$(_${bin}_next "$place")}")
        if (( \${lines[(I)\${(b)word}:*]} )); then place="\${place:+$place }$word"; else break; fi
        ;;
    esac
  done
  if [[ $cur == --*=* ]]; then
    prev=\${cur%%=*}
    compset -P '*='
  fi
  if [[ $prev == -* ]] && values="$(_${bin}_values "$place" "$prev")"; then
    _${bin}_offer "$values"
  elif [[ $cur == -* ]]; then
    lines=("\${(@f)$(_${bin}_flags "$place")}")
    _describe -o flag lines
  else
    if values="$(_${bin}_next "$place")"; then
      lines=("\${(@f)values}")
      _describe command lines
    fi
    if values="$(_${bin}_arguments "$place")"; then _${bin}_offer "$values"; fi
  fi
}

if [[ $funcstack[1] == _${bin} ]]; then
  _${bin} "$@"
else
  compdef _${bin} ${bin}
fi`;
}

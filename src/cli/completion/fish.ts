import { GLOBAL_VALUE_FLAGS, type CompletedFlag, type Grammar, type Position, type Value } from './grammar.ts';

/** A script for fish 3 and later, to be sourced, or installed as a completion file. */
export function fishScript({ bin, places }: Grammar): string {
  const paths = places.flatMap(({ path }) => (path === '' ? [] : [quotedForFish(path)]));
  return `# Completion of ${bin} for fish, printed by \`${bin} completion fish\`. Read it with: ${bin} completion fish | source

set -g __${bin}_paths ${paths.join(' ')}

function __${bin}_place
    set -l place ''
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case ${GLOBAL_VALUE_FLAGS.join(' ')}
                set skip 1
            case '-*'
            case '*'
                set -l longer (string trim -- "$place $word")
                contains -- $longer $__${bin}_paths
                or break
                set place $longer
        end
    end
    echo $place
end

function __${bin}_at
    test "$argv" = (__${bin}_place)
end

complete -c ${bin} -e
complete -c ${bin} -f
${places.flatMap((place) => linesOf(bin, place)).join('\n')}
`;
}

function linesOf(bin: string, { path, next, flags, argument }: Position): string[] {
  const start = `complete -c ${bin} -n ${quotedForFish(`__${bin}_at ${path}`.trim())}`;
  const words = next.map(({ word, summary }) => `${start} -a ${word} -d ${quotedForFish(summary)}`);
  const argumentLines = argument.kind === 'none' || argument.kind === 'text' ? [] : [`${start}${valueFlags(argument, false)}`];
  return [...words, ...flags.map((flag) => `${start}${flagWords(flag)}`), ...argumentLines];
}

function flagWords({ name, char, summary, value }: CompletedFlag): string {
  return ` -l ${name}${char === undefined ? '' : ` -s ${char}`}${valueFlags(value, true)} -d ${quotedForFish(summary)}`;
}

function valueFlags(value: Value, ofFlag: boolean): string {
  const required = ofFlag ? ' -r' : '';
  switch (value.kind) {
    case 'none':
      return '';
    case 'text':
      return `${required} -f`;
    case 'file':
      return `${required} -F`;
    case 'words':
      return `${required} -f -a ${quotedForFish(value.words.map((word) => (/^[\w-]+$/.test(word) ? word : quotedForFish(word))).join(' '))}`;
  }
}

const quotedForFish = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

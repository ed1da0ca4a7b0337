/** Base form, then the inflected forms that the stemmer does not reduce. Ambiguous forms (lay, lives, data) are left out on purpose. */
const FORMS = `
go: goes went gone going
get: got gotten getting
make: made making
take: took taken taking
come: came coming
see: saw seen
know: knew known
think: thought
give: gave given giving
find: found
tell: told
become: became
leave: left
feel: felt
bring: brought
begin: began begun
keep: kept
hold: held
write: wrote written writing
stand: stood
hear: heard
mean: meant
meet: met
run: ran running
pay: paid
sit: sat
speak: spoke spoken
lie: lain
lead: led
grow: grew grown
lose: lost losing
fall: fell fallen
send: sent
build: built
understand: understood
draw: drew drawn
break: broke broken
spend: spent
rise: rose risen
drive: drove driven driving
buy: bought
wear: wore worn
choose: chose chosen choosing
eat: ate eaten
teach: taught
catch: caught
sell: sold
win: won
fight: fought
throw: threw thrown
sing: sang sung
swim: swam swum
sleep: slept
ride: rode ridden
fly: flew flown
forget: forgot forgotten
forgive: forgave forgiven
hide: hid hidden
shake: shook shaken
steal: stole stolen
wake: woke woken
drink: drank drunk
ring: rang rung
feed: fed
lend: lent
seek: sought
shoot: shot
stick: stuck
strike: struck
swing: swung
tear: tore torn
bite: bit bitten
blow: blew blown
freeze: froze frozen
bend: bent
deal: dealt
dig: dug
hang: hung
lay: laid
light: lit
sink: sank sunk
slide: slid
spin: spun
sweep: swept
swear: swore sworn
weep: wept
overcome: overcame
withdraw: withdrew withdrawn
arise: arose arisen
undo: undid undone
rewrite: rewrote rewritten
rebuild: rebuilt
dream: dreamt
learn: learnt
burn: burnt
person: people
child: children
man: men
woman: women
mouse: mice
foot: feet
tooth: teeth
wife: wives
knife: knives
half: halves
shelf: shelves
index: indices
matrix: matrices
vertex: vertices
analysis: analyses
criterion: criteria
do: does
`;

/**
 * Inflected form -> base form, lower case, applied before the stemmer in index and query: `went` finds `go`, `children` finds `child`. Only
 * irregular words with a single meaning.
 */
export const IRREGULAR: ReadonlyMap<string, string> = new Map(
  FORMS.trim()
    .split('\n')
    .flatMap((line) => {
      const [base = '', forms = ''] = line.split(': ');
      return forms.split(' ').map((form): [string, string] => [form, base]);
    }),
);

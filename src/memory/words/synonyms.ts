import { tokenize } from './tokens.ts';

/** Groups of spellings and names of the same thing. An entry with a blank is a phrase. */
const EQUIVALENT = `
db, database; dbs, databases; repo, repository; config, configuration, cfg, conf; env, environment; dev, development; prod, production;
auth, authentication, authn; authz, authorization, authorisation; admin, administrator; app, application;
args, arguments, arg, argument; param, parameter; params, parameters; func, function, fn; var, variable; vars, variables;
const, constant; int, integer; str, string; bool, boolean; char, character; dir, directory, folder; doc, documentation, docs;
spec, specification; info, information; msg, message; err, error; ctx, context; req, request; res, response, resp;
pr, pull request, merge request, mr; ci, continuous integration; k8s, kubernetes; js, javascript; ts, typescript; py, python; rb, ruby;
md, markdown; yml, yaml; regex, regexp, regular expression; perf, performance; mem, memory; cpu, processor; gpu, graphics card;
os, operating system; ui, user interface, interface; ux, user experience; api, application programming interface; url, link, uri;
id, identifier; pk, primary key; fk, foreign key; tz, timezone, time zone; ms, millisecond; sec, second, secs; min, minute, mins;
hr, hour, hrs; num, number, nr; max, maximum; min, minimum; avg, average, mean; temp, temporary, tmp; util, utility, utils, helper;
lib, library; libs, libraries; pkg, package; deps, dependencies; dep, dependency; impl, implementation;
init, initialise, initialize, initialization; sync, synchronise, synchronize, synchronous; async, asynchronous;
i18n, internationalisation, internationalization, translation; l10n, localisation, localization; a11y, accessibility;
o11y, observability; e2e, end-to-end, end to end; 2fa, mfa, two-factor, second factor, totp; sso, single sign-on, single sign on;
otp, one-time password; pwd, password, passwd, passphrase; tx, transaction, txn; conn, connection; sess, session; stmt, statement;
col, column; tbl, table; idx, index; obj, object; attr, attribute; elem, element; btn, button; img, image; pic, picture, photo;
nav, navigation; desc, description; ref, reference; prev, previous; src, source; dest, destination, dst; cmd, command; term, terminal;
ver, version; rev, revision; cert, certificate; infra, infrastructure; ops, operations; sre, site reliability; dns, domain name;
fs, filesystem, file system; ws, websocket, websockets; pg, postgres, postgresql, psql; mongo, mongodb; tf, terraform; gh, github;
gha, github actions; aws, amazon; gcp, google cloud; s3, bucket; lb, load balancer, loadbalancer; vm, virtual machine;
llm, language model; ml, machine learning; ai, artificial intelligence; oom, out of memory; npe, null pointer; csv, comma separated;
http, https; ssl, tls; ip, ip address; qa, quality assurance; wip, work in progress; tbd, to be decided; eta, estimated;
fe, frontend, front-end, front end; backend, back-end, back end; colour, color; licence, license; behaviour, behavior; centre, center;
cancelled, canceled; catalogue, catalog; grey, gray; favourite, favorite; organisation, organization, org; optimise, optimize;
serialise, serialize; normalise, normalize; lock file, lockfile; data base, database; name space, namespace; white space, whitespace;
mom, mother, mum; dad, father; tv, television; bike, bicycle; pet, pets; vet, veterinarian; gym, fitness; uni, university;
veg, vegetables
`;

/** Groups of related words. */
const RELATED = `
login, sign-in, signin, log in, sign in, logon; logout, sign-out, signout, log out, sign out, signing out;
signup, register, registration, sign up; delete, remove, erase, drop, purge; error, exception, failure, fault; fail, crash, break;
bug, defect, issue, problem; fix, repair, resolve, solve, patch; create, add, new, make; update, change, modify, edit;
get, fetch, retrieve, read, load; save, store, persist, write; find, search, lookup, query; list, enumerate, index;
show, display, render, view; start, launch, boot, startup, begin; stop, shutdown, terminate, halt, end; run, execute, invoke;
restart, reboot, reload; config, settings, options, preferences; secret, credential, credentials, token, key; password, credentials;
permission, access, privilege, right; role, permission; user, account, member; customer, client, tenant;
deploy, release, rollout, ship, publish; rollback, undo, revert, roll back; merge, combine, join; branch, fork; commit, changeset;
review, approval, code review; test, testing, spec; mock, stub, fake; flaky, unstable, intermittent; slow, latency, performance, lag;
fast, quick, speed; speed, performance, latency; memory, ram, heap; leak, leaked; disk, storage, volume; backup, dump, snapshot;
restore, recover, recovery; outage, incident, downtime; postmortem, post-mortem, incident review; alert, alarm, notification, warning;
monitor, monitoring, observability, metrics; log, logs, logging; trace, tracing; queue, backlog, job queue; job, task, worker;
scheduled, cron, recurring, periodic, nightly; cache, caching, memoise, memoize; expire, expiry, ttl, lifetime, expiration;
timeout, time out, deadline; limit, quota, maximum, cap; rate limit, throttle, throttling, rate limiting; retry, backoff, reattempt;
async, concurrent, parallel; race, concurrency, race condition; lock, mutex, deadlock; thread, worker, process; hash, digest, checksum;
encrypt, encryption, cipher; sign, signature; verify, validate, check, validation; parse, parser, decode;
format, formatting, formatter; lint, linter, eslint; style, convention, formatting; build, compile, bundle; bundle, package;
install, setup, set up; upgrade, update, bump; dependency, library, package, module; module, component, package; class, type, object;
method, function, procedure; argument, parameter, option; return, result, output; input, argument; endpoint, route, url; request, call;
response, reply, answer; header, headers; webhook, callback, hook; event, message, notification; publish, emit, send;
subscribe, listen, consume; email, mail, e-mail; upload, file upload, attach; download, export; import, ingest;
image, picture, photo, img; resize, scale, crop, smaller; avatar, profile picture; button, cta; dialog, modal, popup;
page, screen, view; theme, dark mode, appearance; css, style, styling; layout, design; translation, locale, language;
timezone, time zone, utc; date, time, timestamp, day; money, amount, price, currency; payment, charge, billing, pay; invoice, bill;
refund, chargeback; tax, vat; trial, demo; pricing, price, cost; database, table, schema; migration, schema change, migrate;
query, sql; index, indexes, indices; primary, master, main; replica, standby, secondary; server, service, backend;
service, microservice; host, machine, node; container, docker, pod; cluster, kubernetes; cloud, hosted;
feature flag, feature toggle, switch, toggle, flag; experiment, a/b test; decision, decided, choice, chose; reason, because, why;
prefer, preference, like, favourite; avoid, never, do not; reject, abandon, drop, dropped, rejected;
deprecated, obsolete, removed, legacy; todo, task, pending; deadline, due, planned; owner, responsible, owns, contact;
team, colleagues; meeting, stand-up, standup, call; colleague, coworker, teammate; doc, guide, manual, readme; example, sample;
editor, ide, vs code, vscode; keyboard shortcut, keybinding, hotkey; local, locally, localhost; remote, upstream; public, exposed;
private, internal; big, large, huge; small, tiny; wrong, incorrect, invalid, broken; begin, start; finish, complete, done;
buy, purchase, bought; kid, child, children, son, daughter; job, work, career; house, home; car, vehicle; movie, film; book, novel;
trip, travel, journey, vacation, holiday; hike, hiking, walk; friend, buddy; picture, painting, drawing; song, music;
doctor, physician; sick, ill, illness; happy, glad, joy; sad, upset; scared, afraid, fear; country, nation; job interview, interview;
dog, puppy; cat, kitten; wedding, marriage, married;
typo, misspelling, spelling, misspelled, autocorrect, spellcheck; stem, inflection, lemma, base form; plural, singular, inflection;
skip, ignore, exclude, omit, leave out, left out; crawl, walk, traverse, recurse, scan; recent, newest, latest, recency;
malicious, hostile, attack, attacker, forged, untrusted; localhost, loopback; spoof, forge, rebinding, cross-origin;
uninstall, teardown, cleanup, tear down, clean up; suggest, completion, complete, autocomplete, suggestion; tab, completion;
spinner, progress, progress bar, percentage; coloured, colored, color, ansi, style; hide, hidden, mask, conceal; confirm, confirmation, yes or no, prompt;
atomic, all or nothing, transaction; lazy, deferred, on demand, lazily; plugin, extension, addon, add-on; eager, immediate;
clamp, range, minimum, maximum, bounds; wildcard, glob, pattern; shrink, summary, summarize, summarise, shorten, truncate, cut;
duplicate, twice, same, repeated, copy; idempotent, idempotency, repeat, retry; unique, distinct; order, sort, rank, ranking;
tie, equal, same; newline, line break, line ending; whitespace, blank, indent, indentation; escape, quote, sanitize, sanitise;
slug, url-safe; countdown, timer, interval; debounce, settle, delay; poll, watch, observe; teardown, dispose, close;
inject, provider, dependency injection; singleton, global, shared; wrapper, adapter, proxy; factory, builder, create;
inherit, subclass, extend, base class, parent class; override, overload, replace; decorator, annotation, wrapper; mixin, trait;
iterate, loop, iterator, generator; recursion, recursive; nested, nesting, hierarchy, tree; flatten, nested; map, mapping, dictionary, lookup table;
pool, pooling, reuse; buffer, buffering, stream, chunk; pipe, stdin, standard input; stdout, standard output; stderr, standard error;
signal, interrupt, ctrl-c, sigint; quit, exit, leave; exit code, status code, return code; cookie, session; csrf, cross-site, forgery;
serialize, serialise, dump, encode, to json; deserialize, deserialise, decode, from json; cast, convert, conversion, coerce; default, fallback;
optional, nullable, missing, absent; required, mandatory, must; constraint, rule, validation; placeholder, metavar, template; render, template;
locale, language, i18n; encoding, charset, unicode, utf-8; timezone, utc; schedule, cron, timer; throttle, limit, rate; quota, budget
`;

/** `equivalent`: names of the same thing; `related`: related in meaning. */
type SynonymKind = 'equivalent' | 'related';

/** A word or phrase in indexed form: one token, or several that must all be present. */
export interface Synonym {
  readonly tokens: readonly string[];
  readonly kind: SynonymKind;
}

/** A phrase and its synonyms. */
interface SynonymPhrase {
  readonly tokens: readonly string[];
  readonly synonyms: readonly Synonym[];
}

const byWord = new Map<string, Synonym[]>();
/** First token of a phrase -> the phrases that begin with it. */
const byPhraseStart = new Map<string, { tokens: readonly string[]; synonyms: Synonym[] }[]>();
for (const [text, kind] of [
  [EQUIVALENT, 'equivalent'],
  [RELATED, 'related'],
] as const) {
  for (const group of text.trim().split(/;\s+/)) addGroup(group.split(', ').map(tokensOf), kind);
}

/** Synonyms of a token, equivalents first; empty for most words. */
export function synonymsOf(token: string): readonly Synonym[] {
  return byWord.get(token) ?? [];
}

/** Phrases that begin with this token. */
export function phrasesFrom(token: string): readonly SynonymPhrase[] {
  return byPhraseStart.get(token) ?? [];
}

/** One token per word: a compound (`sign-in`) stays whole. */
function tokensOf(entry: string): readonly string[] {
  return entry.split(' ').flatMap((word) => tokenize(word).slice(0, 1));
}

function addGroup(group: readonly (readonly string[])[], kind: SynonymKind): void {
  for (const own of group) {
    const [word = '', ...others] = own;
    const known = others.length === 0 ? synonymsOfWord(word) : synonymsOfPhrase(own);
    const seen = new Set([own, ...known.map(({ tokens }) => tokens)].map((tokens) => tokens.join(' ')));
    for (const tokens of group) {
      if (seen.has(tokens.join(' '))) continue;
      seen.add(tokens.join(' '));
      known.push({ tokens, kind });
    }
  }
}

function synonymsOfWord(token: string): Synonym[] {
  const known = byWord.get(token) ?? [];
  byWord.set(token, known);
  return known;
}

function synonymsOfPhrase(tokens: readonly string[]): Synonym[] {
  const [start = ''] = tokens;
  const phrases = byPhraseStart.get(start) ?? [];
  byPhraseStart.set(start, phrases);
  const known = phrases.find((phrase) => phrase.tokens.join(' ') === tokens.join(' '));
  if (known !== undefined) return known.synonyms;
  const added: Synonym[] = [];
  phrases.push({ tokens, synonyms: added });
  return added;
}

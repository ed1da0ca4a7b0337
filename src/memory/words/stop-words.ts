/** English stop words, lower case. */
export const STOP_WORDS: readonly string[] = `
a about above after again against all also am an and any are aren't as at
be because been before being below between both but by
can can't cannot could couldn't
did didn't do does doesn't doing don't done down during
each either else ever every few for from further
had hadn't has hasn't have haven't having he her here hers herself him himself his how
i if in into is isn't it its itself just
me might more most much must my myself
neither no nor not now of off on once only or other our ours ourselves out over own
per please same shall shan't she should shouldn't since so some such
than that the their theirs them themselves then there these they this those through to too
under until up upon us very was wasn't we were weren't what when where whether which while who whom whose why will with within
without won't would wouldn't yet you your yours yourself yourselves
`
  .trim()
  .split(/\s+/);

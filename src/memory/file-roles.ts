/** Classifies files by path alone. */

const TEST =
  /(?:^|\/)(?:tests?|testing|__tests__|__mocks__|specs?|e2e|fixtures?|__fixtures__|testdata|cypress)\/(?!.*\bsrc\/main\/)|(?:^|\/)(?:test_[^/]*|conftest\.py)$|(?:[._-](?:tests?|spec|drill|e2e|stories)|_test|Tests?|Spec)\.\w+$/;
const MADE =
  /(?:^|\/)(?:vendor|third_party|generated|__generated__|__snapshots__|dist|build|coverage|demos?|locales?|i18n)\/|[._-]generated\.\w+$|\.(?:min|bundle)\.\w+$|(?:^|\/)(?:CHANGE(?:S|LOG)|HISTORY|NEWS|RELEASES?)(?:\.\w+)?$/i;

/** Whether a file has tests or test helpers. */
export const isTestFile = (path: string): boolean => TEST.test(path);
/** Whether a file is generated, vendored, demo data or a changelog. */
export const isGeneratedFile = (path: string): boolean => MADE.test(path);

import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** Leaves out the wording of errors and log lines: tests look at codes and at what happens, not at each sentence. */
const isWording = (path) => {
  if (!path.isStringLiteral() && !path.isTemplateLiteral()) return false;
  const { parentPath: parent } = path;
  if (parent?.isNewExpression()) return (parent.node.callee.name ?? '').endsWith('Error') && parent.node.arguments[0] !== path.node;
  if (parent?.isObjectProperty())
    return ['hint', 'description', 'message', 'problem'].includes(parent.node.key.name) && parent.node.value === path.node;
  return false;
};

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'wording', { shouldIgnore: (path) => (isWording(path) ? 'wording of a message' : undefined) }),
];

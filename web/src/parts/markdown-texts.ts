export const markdownTexts = {
  picture: (name: string) => `Image${name.trim() === '' ? '' : `: ${name}`}`,
  table: 'Table',
  taskDone: 'Done',
  taskOpen: 'To do',
  code: (language: string) => (language === '' ? 'Code' : `Code, ${language}`),
  copyCode: 'Copy code',
  codeCopied: 'Code copied',
} as const;

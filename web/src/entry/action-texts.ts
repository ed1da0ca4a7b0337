import { memories, memory } from '../texts.ts';
import { counted } from '../parts/formats.ts';

export const actionTexts = {
  copy: 'Copy',
  copyText: 'Copy text',
  textCopied: 'Text copied',
  copyId: 'Copy id',
  idCopied: 'Id copied',
  link: 'Link',
  copyLink: 'Copy link',
  linkCopied: 'Link copied',
  json: 'JSON',
  copyJson: 'Copy JSON',
  jsonCopied: (number: number) => (number === 1 ? 'Copied as JSON' : `${counted(number, memory, memories)} copied as JSON`),
  forget: {
    action: 'Forget',
    done: 'Memory forgotten',
    gone: 'Already forgotten',
    failed: (message: string) => `Not forgotten: ${message}`,
    forgotten: (number: number) => `${counted(number, memory, memories)} forgotten`,
    back: (number: number) => `${counted(number, memory, memories)} restored`,
    notBack: (message: string) => `Not restored: ${message}`,
  },
} as const;

import { describe, expect, it } from 'vitest';
import { DocumentReader } from '../../../src/sources/readers/document-reader.ts';
import { docxFiles, docxOf, paragraph, tableOf } from './docx-fixture.ts';
import { pdfOf } from './pdf-fixture.ts';
import { contentsOf, reading } from './reading.ts';
import { zipOf } from './zip-fixture.ts';

describe('a PDF', () => {
  it('gives the text of each page with its number', async () => {
    const read = await reading('report.pdf', pdfOf([['Quarterly report', 'Sales (net) grew.'], ['Second page']]));
    expect(read.format).toBe('pdf');
    expect(read.documents[0]?.passages).toEqual([
      { content: 'Quarterly report\nSales (net) grew.', details: { page: 1 } },
      { content: 'Second page', details: { page: 2 } },
    ]);
    expect(read.found).toEqual({ pages: 2 });
  });

  it('is detected by its content, whatever its name', async () => {
    expect(contentsOf(await reading('download', pdfOf([['Hello']])))).toEqual(['Hello']);
  });

  it('of images only is reported, and single such pages are counted', async () => {
    await expect(reading('scan.pdf', pdfOf([[], []]))).rejects.toMatchObject({
      code: 'unsupported_media_type',
      message: 'scan.pdf contains no text: its pages are images.',
    });
    expect((await reading('half.pdf', pdfOf([['Text'], []]))).leftOut).toEqual([{ what: 'pages without text', count: 1, names: [] }]);
  });

  it('that is encrypted or damaged is reported', async () => {
    await expect(reading('locked.pdf', pdfOf([['Secret']], { encrypted: true }))).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'locked.pdf is encrypted: it needs a password.',
    });
    await expect(reading('cut.pdf', '%PDF-1.4\nnothing')).rejects.toMatchObject({
      message: 'cut.pdf is damaged: it is not a complete PDF.',
    });
    await expect(reading('cut.pdf', 'plain text')).rejects.toMatchObject({ message: 'cut.pdf is damaged: it is not a complete PDF.' });
  });
});

describe('a Word document', () => {
  const BODY = [
    paragraph('Handbook', 'Title'),
    paragraph('Deploying', 'Heading1'),
    paragraph('With make ship &amp; patience.'),
    tableOf([
      ['Key', 'Value'],
      ['port', '7007'],
    ]),
    paragraph('Rolling back', 'Heading2'),
    paragraph('With make back.'),
  ].join('');

  it('gives its text under its headings, with its tables', async () => {
    const read = await reading('handbook.docx', docxOf(BODY));
    expect(read.format).toBe('docx');
    expect(contentsOf(read)).toEqual([
      'Handbook > Deploying\n\nWith make ship & patience.\n\n| Key | Value |\n| port | 7007 |',
      'Handbook > Deploying > Rolling back\n\nWith make back.',
    ]);
  });

  it('that would unpack without end is rejected in advance', async () => {
    const bomb = { ...docxFiles(paragraph('x')), 'word/document.xml': Buffer.alloc(80 * 1024 * 1024, ' ') };
    const packed = zipOf(bomb, { stated: 100 });
    expect(packed.length).toBeLessThan(200_000);
    await expect(reading('bomb.docx', packed)).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringMatching(/^bomb\.docx unpacks to more than \d+ MB \(word\/document\.xml\)\.$/) as string,
    });
  });

  it('that lists its parts twice is read as it was checked', async () => {
    const files = { ...docxFiles(paragraph('checked')), 'word/hidden00.xml': docxFiles(paragraph('hidden'))['word/document.xml']! };
    await expect(reading('two.docx', withSecondList(zipOf(files)))).resolves.toMatchObject({
      documents: [{ passages: [{ content: 'checked' }] }],
    });
  });

  it('that is damaged, locked or nested without end is rejected in plain words', async () => {
    const whole = docxOf(BODY);
    await expect(reading('cut.docx', whole.subarray(0, whole.length - 200))).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(reading('locked.docx', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]))).rejects.toMatchObject({
      message: 'locked.docx is an Office file in the old format, or is protected by a password.',
    });
    await expect(reading('odd.docx', zipOf({ ...docxFiles(''), 'word/document.xml': '<w:document' }))).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await expect(reading('secret.docx', zipOf(docxFiles(BODY), { flags: 1 }))).rejects.toMatchObject({
      message: 'secret.docx is encrypted: it needs a password.',
    });
    const deep = zipOf({ ...docxFiles(''), 'word/document.xml': docxFiles('<w:smartTag>'.repeat(50_000))['word/document.xml'] ?? '' });
    await expect(reading('deep.docx', deep)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

/** As ZIP64 lists it, all but the last part; else with the last part in the place of the document. */
function withSecondList(packed: Buffer): Buffer {
  const end = packed.subarray(-22);
  const [count, size, offset] = [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)];
  const record = Buffer.alloc(56);
  record.write('PK\u0006\u0006', 'latin1');
  record.writeUInt32LE(44, 4);
  record.writeUInt32LE(count - 1, 24);
  record.writeUInt32LE(count - 1, 32);
  record.writeUInt32LE(offset, 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\u0006\u0007', 'latin1');
  locator.writeUInt32LE(packed.length - end.length, 8);
  const body = packed.toString('latin1', 0, packed.length - end.length).replaceAll('word/hidden00.xml', 'word/document.xml');
  end.writeUInt32LE(size + record.length + locator.length, 12);
  return Buffer.concat([Buffer.from(body, 'latin1'), record, locator, end]);
}

describe('an unsupported format', () => {
  it.each([
    ['book.xlsx', zipOf({ 'xl/workbook.xml': '' }), 'book.xlsx is a spreadsheet.', 'Save its sheets as CSV.'],
    ['talk.pptx', zipOf({ 'ppt/presentation.xml': '' }), 'talk.pptx is a presentation.', 'Save it as PDF.'],
    ['photos.zip', zipOf({ 'a.jpg': '' }), 'photos.zip is a ZIP archive without conversations.json.', 'Unpack it first.'],
    ['logo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d]), 'logo.png is an image.', 'Text recognition (OCR) makes text of it.'],
    ['a.md.gz', Buffer.from([0x1f, 0x8b, 8]), 'a.md.gz is compressed with gzip.', 'Unpack it first.'],
  ])('is rejected with an alternative: %s', async (name, bytes, message, hint) => {
    await expect(reading(name, bytes)).rejects.toMatchObject({ code: 'unsupported_media_type', message, hint });
  });
});

describe('the document worker', () => {
  const document = (name: string, bytes: Buffer, extension: string) => ({ bytes, name, extension });
  const OPTIONS = { split: 'passages', size: 500, overlap: 100 } as const;

  it('reads one document at a time, and passes errors on with their codes', async () => {
    await using reader = new DocumentReader();
    const read = await reader.read(document('a.pdf', pdfOf([['One']]), '.pdf'), OPTIONS);
    expect(contentsOf(read)).toEqual(['One']);
    await expect(reader.read(document('b.pdf', pdfOf([['x']], { encrypted: true }), '.pdf'), OPTIONS)).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'b.pdf is encrypted: it needs a password.',
      hint: expect.stringContaining('without a password') as string,
    });
    expect(contentsOf(await reader.read(document('c.html', Buffer.from('<p>Three</p>'), '.html'), OPTIONS))).toEqual(['Three']);
  });

  it('aborts a slow document, and reads the next', async () => {
    await using reader = new DocumentReader({ timeLimitMs: 1 });
    const slow = document('slow.html', Buffer.from(`<html>${'<p>x'.repeat(200_000)}`), '.html');
    await expect(reader.read(slow, OPTIONS)).rejects.toMatchObject({
      code: 'too_large',
      message: 'slow.html takes longer than 0.001 seconds to read.',
    });
    await using patient = new DocumentReader();
    expect(contentsOf(await patient.read(document('next.html', Buffer.from('<p>Next</p>'), '.html'), OPTIONS))).toEqual(['Next']);
  });
});

/** A PDF with a page for each list of lines; a page without lines holds a drawing alone. */
export function pdfOf(pages: readonly (readonly string[])[], options: { readonly encrypted?: boolean } = {}): Buffer {
  const font = 3;
  const first = 4;
  const ids = pages.map((_, at) => first + at * 2);
  const objects = new Map<number, string>([
    [1, '<< /Type /Catalog /Pages 2 0 R >>'],
    [2, `<< /Type /Pages /Kids [${ids.map((id) => `${id} 0 R`).join(' ')}] /Count ${pages.length} >>`],
    [font, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'],
  ]);
  for (const [at, lines] of pages.entries()) {
    const id = first + at * 2;
    const content =
      lines.length === 0
        ? '0 0 100 100 re f'
        : `BT /F1 12 Tf 72 720 Td 14 TL ${lines.map((line) => `(${escaped(line)}) Tj T*`).join(' ')} ET`;
    objects.set(
      id,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 ${font} 0 R >> >> /Contents ${id + 1} 0 R >>`,
    );
    objects.set(id + 1, `<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  }
  const key = first + pages.length * 2;
  const lock = '61'.repeat(32);
  // Neither of the two digests belongs to any password, so that the empty one does not open it.
  if (options.encrypted === true) objects.set(key, `<< /Filter /Standard /V 1 /R 2 /P -44 /O <${lock}> /U <${lock}> >>`);
  return assembled(objects, options.encrypted === true ? `/Encrypt ${key} 0 R /ID [<${lock}> <${lock}>]` : '');
}

const escaped = (text: string): string => text.replaceAll(/[\\()]/g, (char) => `\\${char}`);

function assembled(objects: ReadonlyMap<number, string>, trailer: string): Buffer {
  let body = '%PDF-1.4\n';
  const offsets: string[] = [];
  for (const [id, object] of objects) {
    offsets.push(`${String(body.length).padStart(10, '0')} 00000 n \n`);
    body += `${id} 0 obj\n${object}\nendobj\n`;
  }
  const size = objects.size + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(`${body}${table}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${body.length}\n%%EOF\n`, 'latin1');
}

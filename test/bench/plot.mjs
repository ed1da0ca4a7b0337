// Small multiples with logarithmic axes, as SVG: transparent ground and middle tones, so that it reads on light and on dark pages.

const WIDTH = 380;
const HEIGHT = 240;
const EDGE = { left: 52, right: 66, top: 34, bottom: 34 };
const INK = '#85827a';
const GRID = '#85827a40';
/** The chart colours of the web page, between their light and their dark form. */
const COLOURS = ['#2f9a7c', '#b98a24', '#4a8fcb', '#a56fb0'];
const LABEL_GAP = 13;

const escape = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.codePointAt(0)};`);
const short = (value) => {
  const [divisor, unit] = value >= 1e6 ? [1e6, 'M'] : value >= 1e3 ? [1e3, 'k'] : [1, ''];
  return `${Number((value / divisor).toPrecision(3))}${unit}`;
};
const round = (value) => Number(value.toFixed(1));

/** 1, 2 and 5 of every power of ten from the last at or below `low` to the first at or above `high`. */
function ticks(low, high) {
  const all = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) {
    for (const digit of [1, 2, 5]) all.push(Number((digit * 10 ** power).toPrecision(1)));
  }
  const from = all.findLastIndex((tick) => tick <= low);
  const to = all.findIndex((tick) => tick >= high);
  return all.slice(Math.max(0, from), to + 1);
}

/** Value -> place between `from` and `to`, by its logarithm; the middle where there is but one value. */
function logScale([low, high], [from, to]) {
  const span = Math.log(high / low);
  return (value) => round(span === 0 ? (from + to) / 2 : from + (Math.log(value / low) / span) * (to - from));
}

/** Heights of labels that do not run into each other, nearest to where their lines end. */
function spread(heights) {
  const order = heights.map((height, nth) => ({ height, nth })).toSorted((a, b) => a.height - b.height);
  order.forEach((label, nth) => {
    if (nth > 0) label.height = Math.max(label.height, order[nth - 1].height + LABEL_GAP);
  });
  return order.toSorted((a, b) => a.nth - b.nth).map(({ height }) => height);
}

const text = (x, y, content, more = '') => `<text x="${x}" y="${y}" ${more}>${escape(content)}</text>`;

function axes({ xs, ys, x, y }) {
  const right = WIDTH - EDGE.right;
  const bottom = HEIGHT - EDGE.bottom;
  return [
    ...ys.map((value) => `<line x1="${EDGE.left}" x2="${right}" y1="${y(value)}" y2="${y(value)}" stroke="${GRID}"/>`),
    ...ys.map((value) => text(EDGE.left - 6, y(value) + 4, short(value), 'text-anchor="end"')),
    ...xs.map((value) => text(x(value), bottom + 16, short(value), 'text-anchor="middle"')),
  ];
}

function curve({ name, points }, { x, y, colour, label }) {
  const places = points.map(([count, value]) => [x(count), y(value)]);
  const [endX] = places.at(-1);
  return [
    `<polyline points="${places.map((place) => place.join(',')).join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
    ...places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${colour}"/>`),
    text(endX + 8, round(label + 4), name, `fill="${colour}"`),
  ];
}

function panel({ title, series }) {
  const drawn = series
    .map(({ name, points }) => ({ name, points: points.filter(([, value]) => value > 0) }))
    .filter(({ points }) => points.length > 0);
  if (drawn.length === 0) return [text(0, 16, title, 'font-weight="600"')];
  const xs = [...new Set(drawn.flatMap(({ points }) => points.map(([count]) => count)))].toSorted((a, b) => a - b);
  const values = drawn.flatMap(({ points }) => points.map(([, value]) => value));
  const ys = ticks(Math.min(...values), Math.max(...values));
  const x = logScale([xs[0], xs.at(-1)], [EDGE.left + 8, WIDTH - EDGE.right]);
  const y = logScale([ys[0], ys.at(-1)], [HEIGHT - EDGE.bottom, EDGE.top]);
  const labels = spread(drawn.map(({ points }) => y(points.at(-1)[1])));
  return [
    text(0, 16, title, 'font-weight="600"'),
    ...axes({ xs, ys, x, y }),
    ...drawn.flatMap((line, nth) => curve(line, { x, y, colour: COLOURS[nth % COLOURS.length], label: labels[nth] })),
  ];
}

/** An SVG image of panels { title, series: [{ name, points: [[count, value]] }] }, two in a row; values of 0 and less are left out. */
export function plot(panels) {
  const rows = Math.ceil(panels.length / 2);
  const [width, height] = [2 * WIDTH + 20, rows * (HEIGHT + 10)];
  const groups = panels.map((one, nth) => {
    const at = `translate(${(nth % 2) * (WIDTH + 20)} ${Math.floor(nth / 2) * (HEIGHT + 10)})`;
    return `<g transform="${at}">\n${panel(one).join('\n')}\n</g>`;
  });
  const title = `Against the number of entries: ${panels.map((one) => one.title).join('; ')}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, sans-serif" font-size="12" fill="${INK}">
<title>${escape(title)}</title>
${groups.join('\n')}
</svg>
`;
}

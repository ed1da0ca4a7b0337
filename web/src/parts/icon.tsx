/** Outlines on a 16-unit grid: paths, and circles as [x, y, radius]. */
const SHAPES = {
  admin: {
    circles: [
      [9.25, 5, 1.75],
      [6.75, 11, 1.75],
    ],
    path: 'M2.5 5h5M11 5h2.5M2.5 11H5M8.5 11h5',
  },
  archive: { path: 'M2.5 3.5h11v3h-11zM3.5 6.5v6h9v-6M6.5 9.2h3' },
  auto: { circles: [[8, 8, 5.5]], solid: 'M8 2.5a5.5 5.5 0 0 1 0 11z' },
  book: { path: 'M8 4.2C6.5 3.1 4.7 2.9 2.5 3.4v9c2.2-.5 4-.3 5.5.8 1.5-1.1 3.3-1.3 5.5-.8v-9C11.3 2.9 9.5 3.1 8 4.2zM8 4.2v9' },
  box: { path: 'm8 2 5.5 2.9v6.2L8 14l-5.5-2.9V4.9zM2.5 4.9 8 7.8l5.5-2.9M8 7.8V14' },
  chart: { path: 'M2.5 13.5h11M4.5 10.8V8.5M8 10.8V3M11.5 10.8V6' },
  check: { path: 'm3.2 8.6 3 3 6.6-7.2' },
  clock: { circles: [[8, 8, 5.6]], path: 'M8 4.9V8l2.1 1.4' },
  code: { path: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5' },
  copy: {
    path: 'M7 5.5h5a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 12V7A1.5 1.5 0 0 1 7 5.5zM10.5 3.5a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1',
  },
  dots: { path: 'M3.5 8h.01M8 8h.01M12.5 8h.01' },
  down: { path: 'M4.5 6.5 8 10l3.5-3.5' },
  download: { path: 'M8 2.5V10M4.8 7 8 10.2 11.2 7M3 13.5h10' },
  edit: { path: 'm3 13 .6-2.8 7.1-7.1a1.35 1.35 0 0 1 1.9 0l.3.3a1.35 1.35 0 0 1 0 1.9l-7.1 7.1z' },
  enter: { path: 'M12.5 4v3.5A1.5 1.5 0 0 1 11 9H3.5M6 6.5 3.5 9 6 11.5' },
  explain: { path: 'M3 4.5h10M3 8h6.5M3 11.5h4' },
  eye: { circles: [[8, 8, 1.8]], path: 'M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8z' },
  file: { path: 'M4 2h5l3 3v9H4zM9 2v3h3' },
  filter: { path: 'M2.5 4.5h11M4.5 8h7M6.5 11.5h3' },
  fit: { path: 'M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3' },
  fn: {
    path: 'M6 3.2c-1.4 0-1.5.8-1.5 1.8v1.2C4.5 7.2 4 8 3 8c1 0 1.5.8 1.5 1.8V11c0 1 .1 1.8 1.5 1.8M10 3.2c1.4 0 1.5.8 1.5 1.8v1.2c0 1 .5 1.8 1.5 1.8-1 0-1.5.8-1.5 1.8V11c0 1-.1 1.8-1.5 1.8',
  },
  forget: { path: 'M3 4.5h10M6.3 4.3V2.9h3.4v1.4M4.3 4.7l.6 8.4h6.2l.6-8.4M6.9 7.2v3.3M9.1 7.2v3.3' },
  globe: { circles: [[8, 8, 5.7]], path: 'M2.3 8h11.4M8 2.3c1.9 1.8 2.6 3.7 2.6 5.7S9.9 11.9 8 13.7C6.1 11.9 5.4 10 5.4 8S6.1 4.1 8 2.3z' },
  graph: {
    circles: [
      [4, 4.5, 1.9],
      [12.2, 6, 1.9],
      [6.6, 12.2, 1.9],
    ],
    path: 'm5.9 4.9 4.4.8M4.6 6.3l1.4 4M10.9 7.4 8 10.8',
  },
  history: { path: 'M3 8a5 5 0 1 0 1.6-3.7L3 5.8M3 3v2.8h2.8M8 5.4V8l1.8 1.2' },
  info: { circles: [[8, 8, 5.7]], path: 'M8 7.4v3.4M8 5.2v.01' },
  key: { circles: [[5.4, 10.6, 2.6]], path: 'M7.3 8.7 13 3M10.4 5.6l1.9 1.9' },
  keyboard: {
    path: 'M3.5 4h9a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1 -1.5 1.5h-9a1.5 1.5 0 0 1 -1.5 -1.5v-5a1.5 1.5 0 0 1 1.5 -1.5zM4.7 6.7h.01M7 6.7h.01M9.3 6.7h.01M11.5 6.7h.01M5.5 9.5h5',
  },
  layers: { path: 'm8 2.5 5.5 2.9L8 8.3 2.5 5.4zM2.5 8.2 8 11.1l5.5-2.9M2.5 10.9 8 13.8l5.5-2.9' },
  left: { path: 'M9.5 4.5 6 8l3.5 3.5' },
  link: { path: 'm6.5 9.5 3-3M7.4 4.6l1.3-1.3a2.85 2.85 0 0 1 4 4l-1.3 1.3M8.6 11.4l-1.3 1.3a2.85 2.85 0 0 1-4-4l1.3-1.3' },
  list: { path: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01' },
  lock: {
    path: 'M4.8 7h6.4a1.3 1.3 0 0 1 1.3 1.3v3.9a1.3 1.3 0 0 1-1.3 1.3H4.8a1.3 1.3 0 0 1-1.3-1.3V8.3A1.3 1.3 0 0 1 4.8 7zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  },
  minus: { path: 'M3 8h10' },
  moon: { path: 'M13.2 9.6A5.6 5.6 0 1 1 6.4 2.8a4.4 4.4 0 0 0 6.8 6.8z' },
  near: {
    circles: [
      [6, 8, 3.8],
      [10, 8, 3.8],
    ],
  },
  ns: { path: 'M2.5 4.5a1 1 0 0 1 1-1h2.7l1.5 1.6h4.8a1 1 0 0 1 1 1v5.4a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1z' },
  offline: {
    path: 'M2.5 2.5l11 11M8 12.3v.01M5.9 10a3 3 0 0 1 3.6-.5M3.9 7.9a6 6 0 0 1 2.1-1.3M8.9 6.2a6 6 0 0 1 3.2 1.7M2 5.7c.6-.5 1.2-1 1.9-1.3M7.1 3.3A9 9 0 0 1 14 5.7',
  },
  out: { path: 'm5 11 5.8-5.8M6 4.8h5.2V10' },
  pause: { path: 'M6 4v8M10 4v8' },
  play: { path: 'M5.5 3.8v8.4l6.5-4.2z' },
  plug: { path: 'M6 2.5v3M10 2.5v3M4 5.5h8v2a4 4 0 0 1-8 0zM8 11.5v2.5' },
  plus: { path: 'M8 3v10M3 8h10' },
  'prio-high': { solid: 'M4.5 2.5h7v11L8 10.9l-3.5 2.6z' },
  'prio-low': { path: 'M4.75 4.5h6.5v6L8 8.7l-3.25 1.8z' },
  'prio-normal': { path: 'M4.5 2.5h7v11L8 10.9l-3.5 2.6z' },
  refresh: { path: 'M13 8a5 5 0 1 1-1.6-3.7L13 5.8M13 3v2.8h-2.8' },
  restore: { path: 'M3 6.3h6.4a3.5 3.5 0 0 1 0 7H6M5.6 3.6 3 6.3 5.6 9' },
  right: { path: 'M6.5 4.5 10 8l-3.5 3.5' },
  search: { circles: [[7, 7, 4.25]], path: 'm10.3 10.3 3.2 3.2' },
  sun: { circles: [[8, 8, 2.6]], path: 'M8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M3.6 12.4l1-1M11.4 4.6l1-1' },
  tag: { path: 'M2.75 2.75h4.5l5.9 5.9a1.2 1.2 0 0 1 0 1.7l-2.8 2.8a1.2 1.2 0 0 1-1.7 0l-5.9-5.9zM5.4 5.4h.01' },
  term: { path: 'm3 4.5 3.5 3.5L3 11.5M8 11.5h5' },
  timeline: {
    circles: [
      [4, 5, 1.4],
      [4, 11, 1.4],
    ],
    path: 'M4 2v1.6M4 6.4v3.2M4 12.4V14M7.5 5h6M7.5 11h4',
  },
  up: { path: 'M4.5 9.5 8 6l3.5 3.5' },
  upload: { path: 'M8 10.2V2.8M4.8 6 8 2.8 11.2 6M3 13.5h10' },
  warn: { path: 'M8 2.6 14.2 13H1.8zM8 6.7v2.8M8 11.2v.01' },
  x: { path: 'm4 4 8 8M12 4l-8 8' },
} as const satisfies Record<string, Shape>;

interface Shape {
  readonly path?: string;
  /** Filled in addition to the outline. */
  readonly solid?: string;
  readonly circles?: readonly (readonly [number, number, number])[];
}

export type IconName = keyof typeof SHAPES;

/** An icon, hidden from screen readers: its control has the label. */
export function Icon({ name, size }: { name: IconName; size?: 'sm' | undefined }) {
  const shape: Shape = SHAPES[name];
  return (
    <svg class={size === 'sm' ? 'ico ico--sm' : 'ico'} viewBox="0 0 16 16" aria-hidden="true">
      {shape.circles?.map(([x, y, r]) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={r} />
      ))}
      {shape.path !== undefined && <path d={shape.path} />}
      {shape.solid !== undefined && <path d={shape.solid} fill="currentColor" />}
    </svg>
  );
}

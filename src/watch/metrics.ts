// Metrics of drift for the textfile collector of Prometheus' node exporter.

/** The result of a run for the metrics. */
export interface RunFigures {
  readonly now: number;
  /** In milliseconds. */
  readonly duration: number;
  readonly requests: number;
  /** The number of objects that differ, by kind; null for a run that could not compare the account. */
  readonly drifted: ReadonlyMap<string, number> | null;
  /** The number of objects that are still in the account although they, or some of their members, have expired. */
  readonly overdue: number;
}

/** The metrics of earlier runs that are kept. */
export interface Carried {
  /** Seconds since 1970; null if no run has succeeded. */
  readonly lastSuccess: number | null;
  readonly drifted: ReadonlyMap<string, number>;
  /** Null if no run has counted them. */
  readonly overdue: number | null;
}

/** Labels of every sample, so that several files do not collide. */
export type Labels = Readonly<Record<string, string>>;

const PREFIX = 'meshform_drift_';
const HEAD = `# HELP ${PREFIX}`;

/** Whether a text is a metrics file, complete or not. */
export const isMetricsText = (text: string): boolean => text.startsWith(HEAD);

/** The text of the file after a run. The result of the last successful run stays until another run succeeds. */
export function metricsText(run: RunFigures, carried: Carried, labels: Labels): string {
  const now = run.now / 1000;
  const lastSuccess = run.drifted ? now : carried.lastSuccess;
  const drifted = run.drifted ?? carried.drifted;
  const overdue = run.drifted ? run.overdue : carried.overdue;
  const one = (value: number): Sample[] => [{ labels: {}, value }];
  const families: Family[] = [
    ['last_run_timestamp_seconds', 'When the last run ended.', one(now)],
    [
      'last_run_readable',
      'Whether the last run could compare the account: 1 or 0.',
      one(run.drifted ? 1 : 0),
    ],
    ['last_run_duration_seconds', 'How long the last run took.', one(run.duration / 1000)],
    ['last_run_requests', 'Requests that the last run sent.', one(run.requests)],
    [
      'last_success_timestamp_seconds',
      'When a run last compared the account.',
      lastSuccess === null ? [] : one(lastSuccess),
    ],
    [
      'last_success_age_seconds',
      'Time from the last comparison of the account to the end of the last run.',
      lastSuccess === null ? [] : one(Math.max(0, now - lastSuccess)),
    ],
    [
      'objects',
      'Objects that differ from the files, by kind, as the last successful run found them.',
      [...drifted].map(([kind, value]) => ({ labels: { kind }, value })),
    ],
    [
      'overdue',
      'Objects that have ended, or have members that have ended, and are still in the account, as the last successful run found them.',
      overdue === null ? [] : one(overdue),
    ],
  ];
  return families.map(family => familyText(family, labels)).join('');
}

interface Sample {
  readonly labels: Labels;
  readonly value: number;
}
type Family = readonly [name: string, help: string, samples: readonly Sample[]];

function familyText([name, help, samples]: Family, labels: Labels): string {
  const lines = samples.map(
    sample => `${PREFIX}${name}${labelsText({ ...labels, ...sample.labels })} ${sample.value}\n`,
  );
  return `${HEAD}${name} ${help}\n# TYPE ${PREFIX}${name} gauge\n${lines.join('')}`;
}

const labelsText = (labels: Labels): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${escapedLabel(value)}"`)
    .join(',')}}`;

const escapedLabel = (value: string): string =>
  value.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

/** The kept metrics in the file of an earlier run with the same labels; empty if there are none. */
export function carriedFrom(text: string, labels: Labels): Carried {
  const prefix = labelsText(labels).slice(0, -1);
  const drifted = new Map<string, number>();
  let lastSuccess: number | null = null;
  let overdue: number | null = null;
  for (const line of text.split('\n')) {
    const [, name, own = '', value = ''] = SAMPLE.exec(line) ?? [];
    const number = Number(value);
    if (!own.startsWith(prefix) || value === '' || !Number.isFinite(number)) continue;
    const [, kind] = KIND.exec(own.slice(prefix.length)) ?? [];
    if (name === 'last_success_timestamp_seconds') lastSuccess = number;
    if (name === 'overdue') overdue = number;
    if (name === 'objects' && kind !== undefined) drifted.set(kind, number);
  }
  return { lastSuccess, drifted, overdue };
}

const SAMPLE = new RegExp(`^${PREFIX}([a-z_]+)(\\{[^\\n]*\\}) (\\d[\\d.e+-]*)$`);
const KIND = /^,kind="([a-z_]+)"\}$/;

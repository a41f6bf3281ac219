// What meshform printed for a forge: its numbers, and the text around it that tells our own comments from all others.
import { textWithin } from '../src/report/comment/budget.ts';
import type { Settings } from './settings.ts';

/** The numbers in the first line of a report. */
export interface Facts {
  readonly changes: number;
  readonly hazards: readonly string[];
  readonly accessGained: number;
  readonly accessLost: number;
}

const FIRST_LINE = /^<!-- meshform (\{.*\}) -->\n/;

/** The numbers of a report; null where it is none. */
export function factsOf(report: string): Facts | null {
  const [, text] = FIRST_LINE.exec(report) ?? [];
  if (text === undefined) return null;
  const facts: Readonly<Record<string, unknown>> = JSON.parse(text);
  const number = (value: unknown) => (typeof value === 'number' ? value : 0);
  const { hazards } = facts;
  return {
    changes: number(facts.changes),
    hazards: Array.isArray(hazards) ? hazards.map(String) : [],
    accessGained: number(facts.access_gained),
    accessLost: number(facts.access_lost),
  };
}

/** The first line of every comment and issue of a label. */
export const markerOf = (what: 'comment' | 'drift', label: string): string =>
  `<!-- meshform-action ${what} ${JSON.stringify(label)} -->`;

/** How a command ended. */
export interface Outcome {
  readonly code: number;
  /** What was printed for the forge; empty where the command ended before. */
  readonly report: string;
  readonly stderr: string;
}

/** The text of a comment or an issue, below its marker. `run` is the address of the job. */
export function bodyOf(
  { command, label }: Pick<Settings, 'command' | 'label'>,
  { code, report, stderr }: Outcome,
  { run, revision }: { readonly run: string; readonly revision: string },
): string {
  const title = label === '' ? '' : `: ${label}`;
  const shown = report === '' ? '' : report.replace(/^(### meshform \w+)$/m, `$1${title}`);
  const heading = shown === '' ? [`### meshform ${command}${title}`, ''] : [];
  const failed = code === 0 || code === 2 ? [] : failure(command, code, stderr);
  const foot = `<sub>[Job](${run})${revision === '' ? '' : `, commit ${revision.slice(0, 12)}`}</sub>`;
  return [...heading, ...failed, ...(shown === '' ? [] : [shown]), foot, ''].join('\n');
}

/** In bytes, beside a report of the largest size. */
const STDERR_BYTES = 2_000;
const ALONE_BYTES = 12_000;

function failure(command: string, code: number, stderr: string): readonly string[] {
  const bytes = command === 'validate' || command === 'test' ? ALONE_BYTES : STDERR_BYTES;
  const said = stderr.trim() === '' ? [] : [textWithin(stderr, bytes, 'see the job'), ''];
  return [`> ❌ \`${command}\` ended with exit code ${code}.`, '', ...said];
}

/** A comment or issue as the forge lists it. */
export interface Post {
  readonly id: number;
  readonly author: string;
  readonly body: string;
}

/**
 * The posts that are ours: they begin with the marker, and we wrote them. Anybody can write a marker. Two runs at the same time
 * may both have written one.
 */
export const ownPosts = (
  posts: readonly Post[],
  { marker, author }: { readonly marker: string; readonly author: string },
): readonly Post[] =>
  posts.filter(post => post.author === author && post.body.split(/\r?\n/, 1)[0] === marker);

/** What becomes of the comment: one that is there is kept up to date, even where nothing changes any more. */
export function commentStep(
  mode: Settings['comment'],
  own: Post | undefined,
  isWorthTelling: boolean,
): 'none' | 'create' | 'update' {
  if (mode === 'never') return 'none';
  if (own !== undefined) return 'update';
  return mode === 'always' || isWorthTelling ? 'create' : 'none';
}

/** What becomes of the issue about drift. */
export function issueStep(
  mode: Settings['comment'],
  own: Post | undefined,
  drifted: number,
): 'none' | 'create' | 'update' | 'close' {
  if (mode === 'never') return 'none';
  if (drifted > 0) return own === undefined ? 'create' : 'update';
  return own === undefined ? 'none' : 'close';
}

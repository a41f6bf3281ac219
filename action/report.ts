// The output of meshform for a forge: its facts, and the marker by which the action recognises its own comments.
import type { Settings } from './settings.ts';

/** The facts in the first line of a report. */
export interface Facts {
  readonly changes: number;
  readonly hazards: readonly string[];
  readonly accessGained: number;
  readonly accessLost: number;
  /** The digest of a plan that was saved or applied; otherwise empty. */
  readonly digest: string;
}

const FIRST_LINE = /^<!-- meshform (\{.*\}) -->\n/;

/** Whether a text was rendered for a comment. Another format, chosen by the input `args`, was not. */
const isRendered = (text: string): boolean => FIRST_LINE.test(text);

/** The facts of a report; null if the text is not a report, or only says why there is no report. */
export function factsOf(report: string): Facts | null {
  const [, text] = FIRST_LINE.exec(report) ?? [];
  if (text === undefined) return null;
  const facts: Readonly<Record<string, unknown>> = JSON.parse(text);
  if (facts.report === 'failure') return null;
  const number = (value: unknown) => (typeof value === 'number' ? value : 0);
  const { hazards, digest } = facts;
  return {
    changes: number(facts.changes),
    hazards: Array.isArray(hazards) ? hazards.map(String) : [],
    accessGained: number(facts.access_gained),
    accessLost: number(facts.access_lost),
    digest: typeof digest === 'string' ? digest : '',
  };
}

/** The first line of every comment and issue with a label. */
export const markerOf = (what: 'comment' | 'drift', label: string): string =>
  `<!-- meshform-action ${what} ${JSON.stringify(label)} -->`;

/** The result of a command. */
export interface Outcome {
  readonly code: number;
  /** The output for the forge; empty if the command ended before it. */
  readonly report: string;
  /** Whether everything was applied, but the recorded base could not be pushed. */
  readonly isUnpushed?: true;
}

/**
 * The text of a comment or an issue, below its marker. `run` is the URL of the job, `revision` names the commit. The text
 * contains only output that meshform rendered for a comment; all other output is for the log.
 */
export function bodyOf(
  { command, label }: Pick<Settings, 'command' | 'label'>,
  { code, report, isUnpushed }: Outcome,
  { run, revision }: { readonly run: string; readonly revision: string },
): string {
  const title = label === '' ? '' : `: ${label}`;
  const isOurs = isRendered(report);
  const ours = isOurs ? report.replace(/^(### meshform \w+)$/m, `$1${title}`) : '';
  const other = report === '' ? '' : 'The log of the job has the output.\n';
  const shown = isOurs ? ours : other;
  const heading = !isOurs ? [`### meshform ${command}${title}`, ''] : [];
  const isExplained = isOurs && factsOf(report) === null;
  const failed =
    code === 0 || code === 2 ? [] : failure(command, { code, isUnpushed, isExplained });
  const foot = `<sub>[Job](${run})${revision === '' ? '' : `, ${revision}`}</sub>`;
  return [...heading, ...failed, ...(shown === '' ? [] : [shown]), foot, ''].join('\n');
}

function failure(
  command: string,
  {
    code,
    isUnpushed = false,
    isExplained,
  }: {
    readonly code: number;
    readonly isUnpushed: boolean | undefined;
    readonly isExplained: boolean;
  },
): readonly string[] {
  const what = isUnpushed
    ? `> ❌ \`${command}\` applied everything, but the recorded base was not pushed.`
    : `> ❌ \`${command}\` ended with exit code ${code}.`;
  return [`${what}${isExplained ? '' : ' The log of the job says why.'}`, ''];
}

/** A comment or issue in a list of the forge. */
export interface Post {
  readonly id: number;
  readonly author: string;
  readonly body: string;
}

/**
 * Our own posts: they begin with the marker, and the token's user wrote them, because others can write the marker too. There may
 * be several, because two concurrent runs may each have created a post.
 */
export const ownPosts = (
  posts: readonly Post[],
  { marker, author }: { readonly marker: string; readonly author: string },
): readonly Post[] =>
  posts.filter(post => post.author === author && post.body.split(/\r?\n/, 1)[0] === marker);

/** What to do with the comment. An existing comment is updated even if the plan no longer has changes. */
export function commentStep(
  mode: Settings['comment'],
  own: Post | undefined,
  isWorthTelling: boolean,
): 'none' | 'create' | 'update' {
  if (mode === 'never') return 'none';
  if (own !== undefined) return 'update';
  return mode === 'always' || isWorthTelling ? 'create' : 'none';
}

/** What to do with the issue about drift. */
export function issueStep(
  mode: Settings['comment'],
  own: Post | undefined,
  drifted: number,
): 'none' | 'create' | 'update' | 'close' {
  if (mode === 'never') return 'none';
  if (drifted > 0) return own === undefined ? 'create' : 'update';
  return own === undefined ? 'none' : 'close';
}

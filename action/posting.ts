// Posts a report to the forge: as the comment of a label on a pull request, or as the issue about drift.
import { eventOfJob, pullIn } from './event.ts';
import { type Forge, forgeAt } from './forge.ts';
import { inLine } from './forgeError.ts';
import { commentStep, factsOf, issueStep, markerOf, type Outcome, ownPosts } from './report.ts';
import type { Settings } from './settings.ts';

/** A report to post: the outcome of the command, and its text. */
interface Report {
  readonly settings: Settings;
  readonly outcome: Outcome;
  readonly body: string;
}

/** The job that posts. */
export interface PostingJob {
  readonly env: NodeJS.ProcessEnv;
  /** Aborts all calls. */
  readonly signal?: AbortSignal;
}

/** A report that could not be posted. */
class PostError extends Error {
  override readonly name = 'PostError';
}

/**
 * Posts a report. Resolves to an error message if a comment could not be written: the job continues, because its summary contains
 * the same text. Rejects if an issue about drift could not be written, because the issue is the alarm.
 */
export async function post(report: Report, job: PostingJob): Promise<string | null> {
  if (report.settings.comment === 'never') return null;
  const isDrift = report.settings.command === 'drift';
  try {
    await (isDrift ? postIssue(report, job) : postComment(report, job));
    return null;
  } catch (error) {
    const reason = inLine(error instanceof Error ? error.message : String(error));
    if (isDrift) throw new PostError(`the issue about drift was not written: ${reason}`);
    return `The comment was not written: ${reason}. The summary of the job has its text.`;
  }
}

function forgeOf({ env, signal }: PostingJob): Forge {
  const { GITHUB_TOKEN: token, GITHUB_API_URL: api, GITHUB_REPOSITORY: repository } = env;
  if (!token) throw new PostError('the job has no token');
  if (!api || !repository)
    throw new PostError('the environment names neither a forge nor a repository');
  return forgeAt({ api, repository, token, ...(signal && { signal }) });
}

async function postComment(
  { settings: { comment, label }, outcome: { code, report }, body }: Report,
  job: PostingJob,
): Promise<void> {
  const { env } = job;
  const direct = pullIn(await eventOfJob(env));
  if (direct === null && env.GITHUB_EVENT_NAME !== 'push') return;
  const forge = forgeOf(job);
  const pull = direct ?? (await forge.pullOf(env.GITHUB_SHA ?? 'HEAD'));
  if (pull === null) return;
  const marker = markerOf('comment', label);
  const text = `${marker}\n${body}`;
  const author = await forge.author();
  const [own, ...others] = ownPosts(await forge.comments(pull), { marker, author });
  const isWorthPosting = code !== 0 || (factsOf(report)?.changes ?? 0) > 0;
  const step = commentStep(comment, own, isWorthPosting);
  if (step === 'create') await forge.createComment(pull, text);
  if (step === 'update' && own) await forge.updateComment(own.id, text);
  // Other comments of the action are deleted, because they would keep showing an outdated plan.
  for (const { id } of others) await forge.deleteComment(id);
}

async function postIssue(
  { settings: { comment, label }, outcome: { code, report }, body }: Report,
  job: PostingJob,
): Promise<void> {
  const facts = factsOf(report);
  // After a failed command, nothing is known about drift.
  if (facts === null && code !== 0 && code !== 2) return;
  if (facts === null)
    throw new PostError('the output is not a report, because of the input `args`');
  const forge = forgeOf(job);
  const marker = markerOf('drift', label);
  const text = `${marker}\n${body}`;
  const author = await forge.author();
  const [own, ...others] = ownPosts(await forge.openIssues(), { marker, author });
  const title = `meshform: drift${label === '' ? '' : ` (${label})`}`;
  const step = issueStep(comment, own, facts.changes);
  if (step === 'create') await forge.createIssue(title, text);
  if (step === 'update' && own) await forge.updateIssue(own.id, text);
  if (step === 'close' && own) await forge.closeIssue(own.id, text);
  for (const { id } of others) await forge.closeIssue(id, text);
}

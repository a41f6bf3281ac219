// The event that started a job, and the pull request that it belongs to.
import { readFile } from 'node:fs/promises';

/** The event of the job; empty if there is none. */
export async function eventOfJob({ GITHUB_EVENT_PATH: file }: NodeJS.ProcessEnv): Promise<unknown> {
  return file ? JSON.parse(await readFile(file, 'utf8')) : {};
}

/** The number of the pull request in an event; null if there is none. */
export function pullIn(event: unknown): number | null {
  const direct = numberOf(at(event, 'pull_request'));
  if (direct !== null) return direct;
  // For example `refs/heads/gh-readonly-queue/main/pr-12-0123…`. Only its end counts, because the name of the base branch before
  // it may look the same.
  const queued = /\/pr-(\d+)-[0-9a-f]+$/.exec(
    String(at(at(event, 'merge_group'), 'head_ref') ?? ''),
  );
  return queued ? Number(queued[1]) : null;
}

/** The commit that a pull request proposes, and the name of its base branch. Both are empty without a pull request. */
export function proposalIn(event: unknown): { readonly head: string; readonly base: string } {
  const pull = at(event, 'pull_request');
  return { head: text(at(at(pull, 'head'), 'sha')), base: text(at(at(pull, 'base'), 'ref')) };
}

function numberOf(pull: unknown): number | null {
  const number = at(pull, 'number');
  return typeof number === 'number' && Number.isInteger(number) ? number : null;
}

function at(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map(Object.entries(value)).get(name);
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

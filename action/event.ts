// The pull request that a job belongs to.

/** The number of the pull request in an event; null if there is none. */
export function pullIn(event: unknown): number | null {
  const direct = numberOf(at(event, 'pull_request'));
  if (direct !== null) return direct;
  // `refs/heads/gh-readonly-queue/main/pr-12-0123…`; the name of the base branch, before it, may look the same.
  const queued = /\/pr-(\d+)-[0-9a-f]+$/.exec(
    String(at(at(event, 'merge_group'), 'head_ref') ?? ''),
  );
  return queued ? Number(queued[1]) : null;
}

function numberOf(pull: unknown): number | null {
  const number = at(pull, 'number');
  return typeof number === 'number' && Number.isInteger(number) ? number : null;
}

function at(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map(Object.entries(value)).get(name);
}

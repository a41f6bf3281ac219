// The bases at the remote of a pipeline.

type Git = (...args: string[]) => Promise<string>;

/** By ref, the applied revision that each base at `origin` names. */
export async function recordedBases(git: Git): Promise<ReadonlyMap<string, string>> {
  const refs = 'refs/meshform-base/';
  await git('fetch', '--quiet', 'origin', `+${refs}*:${refs}*`);
  const listed = await git('for-each-ref', '--format=%(refname) %(parent)', refs);
  return new Map(
    listed.split('\n').flatMap(line => {
      const [ref = '', revision = ''] = line.split(' ');
      return ref === '' ? [] : [[ref, revision] as const];
    }),
  );
}

// The refs of a clone.
import { type GitPlace, git } from './runGit.ts';

/** The commits of the refs of the clone below a prefix that ends in a slash. Rejects if git fails. */
export async function localRefs(
  place: GitPlace,
  prefix: string,
): Promise<ReadonlyMap<string, string>> {
  const listed = await git(place, ['for-each-ref', '--format=%(objectname) %(refname)', prefix]);
  const lines = listed.toString('utf8').split('\n').filter(Boolean);
  return new Map(
    lines.map((line): [string, string] => {
      const [commit = '', ref = ''] = line.split(' ');
      return [ref, commit];
    }),
  );
}

/** Moves a ref of the clone from one commit to another; null for none. Rejects if git fails, or if the ref has another commit. */
export async function moveRef(
  place: GitPlace,
  {
    ref,
    from,
    to,
  }: { readonly ref: string; readonly from: string | null; readonly to: string | null },
): Promise<void> {
  if (to === null) {
    await git(place, ['update-ref', '-d', ref, ...(from === null ? [] : [from])]);
    return;
  }
  const message = ['--create-reflog', '-m', 'meshform'];
  await git(place, ['update-ref', ...message, ref, to, from ?? '0'.repeat(to.length)]);
}

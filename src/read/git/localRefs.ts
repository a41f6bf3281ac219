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

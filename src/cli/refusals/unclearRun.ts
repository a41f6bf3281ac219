// The message for a text that names no run, or several runs.
import { SHORT_RUN } from '../../model/runName.ts';
import { quoted } from '../../model/text/visible.ts';

/** Why a text does not name exactly one run, and what to do about it. */
export function unclearRunText(
  text: string,
  found: readonly { readonly run: string }[] = [],
): readonly [message: string, hint: string] {
  const seeRuns = 'see the runs of the account with `meshform runs FOLDER`';
  if (found.length > 1)
    return [
      `${quoted(text)} is the beginning of ${found.length} runs: ${found.map(({ run }) => run).join(', ')}`,
      'name the whole run',
    ];
  if (/^[0-9a-f]+$/.test(text) && text.length < SHORT_RUN)
    return [
      `${quoted(text)} is too short to name a run`,
      `give at least the first ${SHORT_RUN} characters; ${seeRuns}`,
    ];
  return [
    `the Git remote and this machine have no run ${quoted(text)}`,
    `${seeRuns}; a journal from another machine is named by its file`,
  ];
}

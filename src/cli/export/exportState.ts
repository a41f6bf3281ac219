// Runs `export --state`: saves the lists on which access depends, as the API returns them.
import { stateOfAnswers } from '../../access/state/stateOfAnswers.ts';
import { ACCESS_KINDS } from '../../access/state/stateOfLive.ts';
import { domainsIn, NAME_KINDS } from '../../access/state/zones.ts';
import { type Answers, readAnswers } from '../../api/account/answers.ts';
import { readTransport } from '../../api/transport/transport.ts';
import { readKinds } from '../../kinds/registry.ts';
import { jsonLine } from '../../model/text/jsonText.ts';
import { quoted } from '../../model/text/visible.ts';
import { counted } from '../../report/text/summary.ts';
import { accountIn } from '../access/accessLines.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { outputAt } from '../output.ts';
import { projectOrStop } from '../project.ts';
import { withConnection } from '../server/connect.ts';
import { Stop } from '../stop.ts';
import type { ExportFlags } from './exportRun.ts';

const SAVED = {
  name: 'the account',
  ours: 'a saved account',
  isOurs: (text: string) => 'state' in accountIn(text),
};

/** Saves the account to a file, or stdout for `-`; returns the exit code. */
export async function exportState(file: string, flags: ExportFlags, io: Io): Promise<number> {
  refuseOthers(flags);
  const output =
    file === '-'
      ? { write: async (text: string) => io.stdout.write(text) }
      : await outputAt(file, { kind: SAVED, force: flags.force === true }, io);
  const project = projectOrStop(io);
  const { lists, unavailable } = await withConnection(flags, project, io, async connection => {
    const read = (names: ReadonlySet<string>) =>
      readAnswers(readTransport(connection), readKinds(), names, flags.concurrency);
    const found = await read(ACCESS_KINDS);
    // DNS names matter only if a rule gives access to a name. Not every server has DNS zones.
    const names = offersDomain(found.lists) ? await read(NAME_KINDS) : { lists: {} };
    return { ...found, lists: { ...found.lists, ...names.lists } };
  });
  // Writes the account as one line, so that several accounts form a file for
  // `access --format ndjson`.
  await output.write(jsonLine({ account: lists }));
  for (const [place, why] of Object.entries(unavailable))
    say(io.stderr, `the server does not return its ${place}: ${why}`);
  const objects = Object.values(lists).reduce((sum, list) => sum + list.length, 0);
  say(io.stderr, `${counted(objects, 'object')} saved.`);
  return EXIT.done;
}

function offersDomain(lists: Answers['lists']): boolean {
  const account = stateOfAnswers(lists);
  return 'state' in account && domainsIn(account.state).length > 0;
}

function refuseOthers({ out, check, kinds, only, except, fromState }: ExportFlags): void {
  const given = {
    '--out': out,
    '--check': check,
    '--kinds': kinds,
    '--only': only,
    '--except': except,
    '--from-state': fromState,
  };
  for (const [flag, value] of Object.entries(given))
    if (value !== undefined)
      throw new Stop(
        EXIT.usage,
        `\`--state\` saves API responses, not files: it cannot be combined with ${quoted(flag)}`,
        'remove one of the two',
      );
}

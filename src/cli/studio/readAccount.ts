// Reads the account of a studio and compares it with the files. It only reads, and opens no secret.
import { readTransport } from '../../api/transport/transport.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { addAll } from '../../model/text/longLists.ts';
import { accessStateOf } from '../../pipeline/access/accountAccess.ts';
import { loadDesired } from '../../pipeline/loading/loadDesired.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';
import type { AccountSeen } from '../../report/studio/accountDifferences.ts';
import type { AnsweredState } from '../access/questionState.ts';
import { attributedDrift } from '../drift/drifting.ts';
import { loadRequest } from '../files/desired.ts';
import { stopOn } from '../findings.ts';
import type { AccountFlags, SourceFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';
import { withConnection } from '../server/connect.ts';
import { Stop } from '../stop.ts';

/** The flags of the account. */
export type AccountOfStudio = SourceFlags & AccountFlags & { readonly token: string };

/** The account, and the state for questions; without a state if the account could not be read. */
export interface ReadAccount {
  readonly seen: AccountSeen;
  readonly judged?: AnsweredState;
}

/** Reads the account. A failure is a part of the result. */
export async function readAccount(
  path: string,
  flags: AccountOfStudio,
  io: Io,
): Promise<ReadAccount> {
  const found: Diagnostic[] = [];
  const own = quiet(io, findings => addAll(found, findings));
  try {
    return await readOrStop(path, flags, found, own);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    const { message, lines } = error;
    const reasons = found.filter(({ severity }) => severity === 'error').map(one => one.message);
    const why = [message, ...lines, ...reasons].join('; ');
    const [first] = found.flatMap(({ hint }) => hint ?? []);
    return {
      seen: {
        is: 'failed',
        at: io.now(),
        message: io.secrets.redact(why),
        hint: error.hint ?? first ?? null,
      },
    };
  }
}

async function readOrStop(
  path: string,
  flags: AccountOfStudio,
  findings: readonly Diagnostic[],
  io: Io,
): Promise<ReadAccount> {
  const tools = loadSchemas();
  const { kinds } = tools;
  const state = await loadDesired(tools, {
    ...loadRequest(path, flags, io),
    isPlanned: true,
    isOnlyCompared: true,
    areSecretsClosed: true,
  });
  if (hasErrors(state.diagnostics)) throw stopOn(state.diagnostics);
  const { project } = state;
  return withConnection(flags, project, io, async connection => {
    const compared = { ...flags, format: 'text', runs: async () => undefined } as const;
    const search = { tools, path, state, connection, since: undefined };
    const report = await attributedDrift(search, compared, io);
    const dialect = flags.dialect ?? project.dialect ?? 'auto';
    const reading = { dialect, concurrency: flags.concurrency };
    const access = await accessStateOf(kinds, readTransport(connection), reading);
    const { called } = access;
    const seen = {
      is: 'read',
      at: io.now(),
      server: connection.url,
      report,
      findings: [...findings, ...access.findings],
    } as const;
    if (access.state === undefined) return { seen };
    const judged = { state: access.state, judged: 'the live account', ...(called && { called }) };
    return { seen, judged };
  });
}

// The page shows the findings that a command would print.
function quiet(io: Io, onFindings: (findings: readonly Diagnostic[]) => void): Io {
  const nowhere = { write: () => {}, isTerminal: false };
  return { ...io, stdout: nowhere, stderr: nowhere, onFindings };
}

// `api call`: calls one operation. Parses the arguments, sends the request, and prints the
// response. A request that violates the contract is not sent.
import { callOperation, pathsIn } from '../../api/operations/call.ts';
import { keepingErrorBody } from '../../api/transport/refusedBody.ts';
import { requestPath } from '../../api/transport/requestPath.ts';
import { type TransportOptions, writeTransport } from '../../api/transport/transport.ts';
import { loadContract, type NodeObject, type Operation } from '../../contract/index.ts';
import type { DialectChoice } from '../../kinds/traits.ts';
import { ApiError } from '../../model/errors.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Json } from '../../model/value.ts';
import { rowLines } from '../../report/explain/rows.ts';
import { PLAIN, type Style } from '../../report/text/style.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import type { ServerFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';
import { projectOrStop } from '../project.ts';
import { withConnection } from '../server/connect.ts';
import { Stop } from '../stop.ts';
import { type AnswerFlags, newSecrets, printAnswer } from './apiAnswer.ts';
import { redactedFailure } from './apiFailure.ts';
import { operationOrStop } from './apiOperation.ts';
import type { Remark } from './apiParams.ts';
import { type Request, type RequestWords, readRequest } from './apiRequest.ts';

export interface CallFlags extends ServerFlags, RequestWords, AnswerFlags {
  readonly yes?: boolean;
  readonly autoApprove?: boolean;
}

/**
 * Calls an operation and prints its response. Throws a `Stop` if the request is not sent, and an
 * `ApiError` if the request fails.
 */
export async function callFromWords(id: string, flags: CallFlags, io: Io): Promise<void> {
  const contract = loadContract();
  const operation = operationOrStop([...contract.operations, ...contract.netbirdOperations], id);
  const project = projectOrStop(io);
  const dialect = flags.dialect ?? project.dialect ?? 'auto';
  refuseOutside(operation, dialect);
  const request = await readRequest(contract, operation, { ...flags, dialect }, io);
  printWarnings(request.warnings, io);
  refuseFaults(operation, request.faults);
  if (!flags.reveal) refuseToLose(contract.document, operation);
  const answer = await withConnection(
    { ...flags, anonymous: operation.public },
    project,
    io,
    async transport => {
      const paths = pathsIn(operation, dialect).map(path =>
        requestPath(operation, { params: request.path }, path),
      );
      await confirmDelete(operation, paths, flags, io);
      return send(operation, request, dialect, transport);
    },
  );
  printAnswer(contract.document, { operation, answer }, flags, io);
}

function refuseOutside({ id, isOutside }: Operation, dialect: DialectChoice): void {
  if (!isOutside || dialect !== 'spec') return;
  const hint = 'use `--dialect netbird` if the server has it';
  throw new Stop(
    EXIT.usage,
    `${id} was not sent: it is outside the specification, and the dialect is spec`,
    hint,
  );
}

function refuseFaults({ id }: Operation, faults: readonly Remark[]): void {
  if (faults.length === 0) return;
  const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`;
  const hint = `\`meshform api describe ${id}\` shows its parameters`;
  const lines = remarkLines(faults, PLAIN);
  throw new Stop(EXIT.invalid, `${id} was not sent: ${count} in the request`, hint, lines);
}

// Refuses a call that would lose a secret. A secret that the server creates is only in this
// response. If the response hides it, it cannot be shown again.
function refuseToLose(document: NodeObject, operation: Operation): void {
  const names = newSecrets(document, operation);
  if (names.length === 0) return;
  const hint = `add --reveal to see ${names.length === 1 ? 'it' : 'them'}`;
  throw new Stop(
    EXIT.usage,
    `${operation.id} was not sent: its response shows ${names.map(quoted).join(', ')} only once, and it would be hidden`,
    hint,
  );
}

function printWarnings(warnings: readonly Remark[], io: Io): void {
  if (warnings.length === 0) return;
  const style = styleFor(io.stderr, io);
  const lines = remarkLines(warnings, style).map(line => `${line}\n`);
  io.stderr.write(`${style.warn('Warning:')}\n${lines.join('')}`);
}

function remarkLines(remarks: readonly Remark[], style: Style): readonly string[] {
  return rowLines(
    remarks.map(({ at, sentence }) => ({ name: at, text: sentence })),
    style,
  );
}

/** Asks the user at a terminal before a call that deletes something. Without a terminal, `--yes` confirms the call. */
async function confirmDelete(
  operation: Operation,
  paths: readonly string[],
  { yes = false, autoApprove = false }: CallFlags,
  io: Io,
): Promise<void> {
  if (operation.method !== 'DELETE' || yes || autoApprove) return;
  const line = `DELETE ${paths.join(' or ')}`;
  if (!io.ask) {
    const hint = 'add --yes to send it without a question';
    throw new Stop(
      EXIT.usage,
      `${line} was not sent: there is no terminal to ask for confirmation`,
      hint,
    );
  }
  const answer = await io.ask(`${line}: ${operation.summary}. Type "yes" to continue: `);
  if (answer.trim() !== 'yes')
    throw new Stop(
      EXIT.refused,
      `${line} was not sent: the answer was not "yes"`,
      'run it again and type yes to send it',
    );
}

async function send(
  operation: Operation,
  { path, query, body, secrets }: Request,
  dialect: DialectChoice,
  transport: TransportOptions,
): Promise<Json> {
  const { dispatcher, refusedBody } = keepingErrorBody(transport.dispatcher);
  const redacted = (error: ApiError): ApiError => redactedFailure(error, refusedBody(), secrets);
  const write = writeTransport({
    ...transport,
    dispatcher,
    onRetry: (error, pause) => transport.onRetry?.(redacted(error), pause),
  });
  try {
    const input = { params: path, query, ...(body === undefined ? {} : { body }) };
    return await callOperation(write, operation, input, dialect);
  } catch (error) {
    throw error instanceof ApiError ? redacted(error) : error;
  }
}

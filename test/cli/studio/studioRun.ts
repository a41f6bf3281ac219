// A studio in a test: the command as it is, and requests to its server that a browser could send, or could not.
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { present } from '../../../src/model/errors.ts';
import { type CliOptions, type Ended, meshform } from '../../support/cli.ts';

/** A studio that runs. */
export interface RunningStudio {
  readonly port: number;
  readonly token: string;
  /** The line that it printed. */
  readonly line: string;
  /** Interrupts it. */
  readonly stop: () => Promise<Ended>;
}

/** Starts a studio with these arguments, and uses it; it is interrupted afterwards. */
export async function withStudio<T>(
  argv: readonly string[],
  options: CliOptions,
  use: (studio: RunningStudio) => Promise<T>,
): Promise<T> {
  const printed = Promise.withResolvers<string>();
  let interrupt = (_: 'SIGINT' | 'SIGTERM') => {};
  const ended = meshform(['studio', ...argv], {
    ...options,
    onStart: given => {
      interrupt = given;
    },
    onDocument: printed.resolve,
  });
  const line = await Promise.race([printed.promise, ended.then(failed)]);
  const [, port = '', token = ''] = /http:\/\/127\.0\.0\.1:(\d+)\/#([\w-]+)/.exec(line) ?? [];
  const stop = () => {
    interrupt('SIGTERM');
    return ended;
  };
  try {
    return await use({ port: Number(port), token, line, stop });
  } finally {
    await stop();
  }
}

const failed = ({ code, stderr }: Ended): never => {
  throw new Error(`it ended with ${code}: ${stderr}`);
};

/** A request as it is sent, whatever a browser would make of it. */
export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/** The response to a request; only its beginning if it does not end. */
export async function responseTo(
  { port }: Pick<RunningStudio, 'port'>,
  { method = 'GET', path = '/', headers = {}, body }: Sent,
): Promise<IncomingMessage> {
  const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false });
  sent.end(body);
  const [response] = await once(sent, 'response');
  return response;
}

/** The status and the text of a response. */
export async function answerTo(studio: Pick<RunningStudio, 'port'>, sent: Sent) {
  const response = await responseTo(studio, sent);
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return { status: response.statusCode, headers: response.headers, text };
}

/** The updates of the page, one after the other. */
export async function* updatesOf(
  studio: Pick<RunningStudio, 'port' | 'token'>,
): AsyncGenerator<Record<string, string>> {
  const headers = { authorization: `Bearer ${studio.token}` };
  const response = await responseTo(studio, { path: '/updates', headers });
  let rest = '';
  for await (const part of response.setEncoding('utf8')) {
    const lines = `${rest}${part}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line).parts ?? {};
  }
}

/** The next update in which `part` is as wanted. */
export async function shownIn(
  updates: AsyncGenerator<Record<string, string>>,
  part: string,
  isWanted: (text: string) => boolean,
): Promise<string> {
  for (;;) {
    const { value } = await updates.next();
    const text = present(value, 'an update')[`part-${part}`];
    if (text !== undefined && isWanted(text)) return text;
  }
}

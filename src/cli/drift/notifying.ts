// `drift --notify`: determines when and where a notification is sent, and stores the state between
// runs.
import { resolve } from 'node:path';
import { dispatcher } from '../../api/transport/dispatcher.ts';
import { post } from '../../api/webhook/post.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { readIfThere, readSmall, reasonOf } from '../../read/files/fileText.ts';
import { messageBody, type Notice } from '../../watch/message.ts';
import { afterRun, type NotificationState } from '../../watch/notificationState.ts';
import type { EndedRun, NotifyRules } from '../../watch/settings.ts';
import { signed } from '../../watch/signature.ts';
import { isStateText, stateFrom, stateText } from '../../watch/stateFile.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { type Output, outputAt } from '../output.ts';
import { caOrStop, proxyOrStop } from '../server/connect.ts';
import { Stop } from '../stop.ts';
import { inTurn } from './oneRunAtATime.ts';

/** The flags of notifications. */
export interface NotifyFlags {
  readonly notify?: boolean;
  readonly notifyUrlFile?: string;
  readonly notifyState?: string;
  readonly notifyAfter?: number;
  /** In milliseconds. */
  readonly notifyRemind?: number;
  readonly caFile?: string;
  /** The maximum duration of an attempt of a request, in seconds. */
  readonly timeout: number;
}

/** Sends notifications about a finished run. It never rejects: an error is printed as a warning. */
export type Notify = (run: EndedRun, notice: Omit<Notice, 'reasons' | 'counted'>) => Promise<void>;

/** The longest wait for a notification, in milliseconds. */
const LONGEST = 10_000;

/** The notifier that the flags and the environment configure. Throws a `Stop` if they contradict each other. */
export async function notifierFor(
  flags: NotifyFlags,
  subject: string,
  io: Io,
): Promise<Notify | null> {
  refuseAlone(flags);
  if (!flags.notify) return null;
  const url = await urlOrStop(flags, io);
  const secret = secretOrStop(io);
  const ca = await caOrStop(flags, io);
  const timeout = Math.min(LONGEST, flags.timeout * 1000);
  const memory = await memoryAt(flags.notifyState, subject, io);
  const rules: NotifyRules = {
    after: flags.notifyAfter ?? 1,
    ...(flags.notifyRemind !== undefined && { remind: flags.notifyRemind }),
  };
  return (run, notice) =>
    memory.whileAlone(async () => {
      const before = await memory.read();
      const step = afterRun(before, run, rules);
      let state = step.delivered;
      if (step.reasons.length > 0) {
        const condition = run.outcome === 'clean' ? null : state[run.outcome];
        const counted = memory.isKept ? condition : null;
        const body = messageBody({ ...notice, reasons: step.reasons, counted }, text =>
          io.secrets.redact(text),
        );
        const why = await deliver({ url, body, secret, ca, timeout }, io);
        if (why !== null) {
          state = step.failed;
          say(io.stderr, `warning: the notification of ${nameText(url.host)} failed: ${why}`);
        }
      }
      await memory.keep(state);
    });
}

/**
 * Returns a function that sends bodies to the webhook from the flags and the environment; null
 * without `--notify`. A failure is printed as a warning.
 */
export async function senderFor(
  flags: Pick<NotifyFlags, 'notify' | 'notifyUrlFile' | 'timeout'>,
  io: Io,
): Promise<((body: string) => Promise<void>) | null> {
  refuseAlone(flags);
  if (!flags.notify) return null;
  const url = await urlOrStop(flags, io);
  const secret = secretOrStop(io);
  const timeout = Math.min(LONGEST, flags.timeout * 1000);
  return async body => {
    const why = await deliver({ url, body, secret, ca: undefined, timeout }, io);
    if (why !== null)
      say(io.stderr, `warning: the notification of ${nameText(url.host)} failed: ${why}`);
  };
}

function refuseAlone(flags: Omit<NotifyFlags, 'timeout'>): void {
  const alone = [
    [flags.notifyUrlFile, '--notify-url-file'],
    [flags.notifyState, '--notify-state'],
    [flags.notifyAfter, '--notify-after'],
    [flags.notifyRemind, '--notify-remind'],
  ].find(([value]) => value !== undefined && !flags.notify);
  if (alone)
    throw new Stop(EXIT.usage, `${alone[1]} has no effect without --notify`, 'add --notify');
  const counting = [
    [flags.notifyAfter, '--notify-after'],
    [flags.notifyRemind, '--notify-remind'],
  ].find(([value]) => value !== undefined && flags.notifyState === undefined);
  if (counting)
    throw new Stop(
      EXIT.usage,
      `${counting[1]} needs a file in which runs are counted`,
      'add --notify-state FILE',
    );
}

async function urlOrStop(
  { notifyUrlFile: file }: Pick<NotifyFlags, 'notifyUrlFile'>,
  io: Io,
): Promise<URL> {
  const source = file === undefined ? 'MESHFORM_NOTIFY_URL' : '--notify-url-file';
  const given = file === undefined ? io.env.MESHFORM_NOTIFY_URL : await textOf(file, io);
  const text = given?.trim() ?? '';
  if (text === '') {
    const hint = 'set MESHFORM_NOTIFY_URL, or add --notify-url-file FILE';
    throw new Stop(EXIT.usage, `no address for notifications is in ${source}`, hint);
  }
  io.secrets.add(text);
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) {
    io.secrets.add(url.href);
    if (url.pathname.length > 1) io.secrets.add(`${url.pathname}${url.search}`);
    // The proxy is checked before the run, so that an invalid proxy is an error even if no
    // notification is sent.
    proxyOrStop(url.href, io);
    return url;
  }
  // The text may contain most of the address, and the address is a secret.
  const hint = 'such as https://hooks.example.com/services/…';
  throw new Stop(EXIT.usage, `the text of ${source} is not a web address`, hint);
}

async function textOf(file: string, { cwd }: Io): Promise<string> {
  try {
    return await readSmall(resolve(cwd, file));
  } catch (error) {
    const message = `${quoted(file)} of --notify-url-file cannot be read: ${reasonOf(error)}`;
    throw new Stop(EXIT.usage, message, 'name a file that contains only the address');
  }
}

function secretOrStop({ env, secrets }: Io): string | null {
  const secret = env.MESHFORM_NOTIFY_SECRET;
  if (secret === undefined) return null;
  if (secret === '') {
    const hint = 'set it to the key of the receiver, or unset it to send without a signature';
    throw new Stop(EXIT.usage, 'MESHFORM_NOTIFY_SECRET is empty', hint);
  }
  secrets.add(secret);
  return secret;
}

interface Message {
  readonly url: URL;
  readonly body: string;
  readonly secret: string | null;
  readonly ca: string | undefined;
  readonly timeout: number;
}

async function deliver(
  { url, body, secret, ca, timeout }: Message,
  io: Io,
): Promise<string | null> {
  const proxy = proxyOrStop(url.href, io);
  const connection = dispatcher(ca === undefined ? {} : { ca });
  const headers = secret === null ? {} : signed(body, secret, io.now());
  const signal = AbortSignal.timeout(timeout);
  const why = await post({ url: url.href, body, headers, dispatcher: connection, proxy, signal });
  // A request that does not end is abandoned.
  await connection.destroy();
  return why;
}

interface Memory {
  readonly read: () => Promise<NotificationState>;
  /** Runs `use` while no other run reads or writes the state. */
  readonly whileAlone: (use: () => Promise<void>) => Promise<void>;
  /** Whether runs are counted. */
  readonly isKept: boolean;
  readonly keep: (state: NotificationState) => Promise<void>;
}

async function memoryAt(file: string | undefined, subject: string, io: Io): Promise<Memory> {
  if (file === undefined)
    return {
      read: () => Promise.resolve(stateFrom('', subject).state),
      whileAlone: use => use(),
      isKept: false,
      keep: () => Promise.resolve(),
    };
  const kind = { name: 'the state', ours: 'a state of notifications', isOurs: isStateText };
  const output = await outputAt(file, { kind, force: null }, io);
  return {
    read: async () => {
      const text = await readIfThere(resolve(io.cwd, file)).catch(() => null);
      const { state, why } = stateFrom(text ?? '', subject);
      if (why !== undefined)
        say(io.stderr, `warning: ${quoted(file)} ${why}: its counts start again at zero`);
      return state;
    },
    whileAlone: use => inTurn(file, use, io),
    isKept: true,
    keep: now => kept(output, stateText(now, subject), io),
  };
}

async function kept(output: Output, text: string, io: Io): Promise<void> {
  await output.write(text).catch((error: unknown) => {
    if (!(error instanceof Stop)) throw error;
    say(io.stderr, `warning: ${error.message}`);
  });
}

// Chromium without a window, spoken to by its debugging protocol. Only checks of pages use it; no test of the suite does.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, type Json, type JsonObject } from '../../../src/model/value.ts';

/** A page that is open. */
export interface Tab {
  /** Calls a method of the protocol. */
  readonly send: (method: string, params?: JsonObject) => Promise<JsonObject>;
  /** The value of an expression; a promise is waited for. */
  readonly value: (expression: string) => Promise<Json>;
  /** Opens another address in it. */
  readonly go: (url: string) => Promise<void>;
  /** What the page has complained about: console, exceptions, violations of its policy. */
  readonly complaints: readonly string[];
}

export interface Browser {
  readonly open: (url: string) => Promise<Tab>;
  readonly close: () => Promise<void>;
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Starts Chromium: `CHROMIUM`, or whichever is installed. Throws an error that says how to get it. */
export async function startBrowser(): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), 'meshform-chromium-'));
  const flags = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--remote-debugging-port=0',
    `--user-data-dir=${folder}`,
    '--no-first-run',
    // On a busy machine, a tab that is not the last one that was opened would get hardly any time.
    '--disable-renderer-backgrounding',
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--force-device-scale-factor=1',
  ];
  const given = process.env.CHROMIUM;
  for (const name of given === undefined ? NAMES : [given]) {
    const child = spawn(name, [...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const address = await addressOf(child);
    if (address === null) continue;
    return {
      open: url => openTab(new URL(address).port, url),
      close: async () => {
        child.kill();
        await once(child, 'exit');
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      },
    };
  }
  await rm(folder, { recursive: true, force: true });
  throw new Error(
    'Chromium is not installed: get it with `apt-get install chromium`, or name it with CHROMIUM=/path/to/chromium',
  );
}

// It says where it listens. Null: it could not be started.
function addressOf(child: ChildProcess): Promise<string | null> {
  return new Promise(resolve => {
    let said = '';
    child.on('error', () => resolve(null));
    child.on('exit', () => resolve(null));
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [, address] = /DevTools listening on (ws:\S+)/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
}

async function openTab(port: string, url: string): Promise<Tab> {
  const created = await fetch(`http://127.0.0.1:${port}/json/new?about:blank`, { method: 'PUT' });
  const target: Json = JSON.parse(await created.text());
  const address = isObject(target) ? String(target.webSocketDebuggerUrl) : '';
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  const complaints: string[] = [];
  const waiting = new Map<number, (message: JsonObject) => void>();
  const events = new Map<string, () => void>();
  socket.addEventListener('message', ({ data }) => {
    const message: Json = JSON.parse(String(data));
    if (!isObject(message)) return;
    if (typeof message.id === 'number') return waiting.get(message.id)?.(message);
    const method = String(message.method);
    events.get(method)?.();
    if (isComplaint(message)) complaints.push(JSON.stringify(message.params));
  });
  let next = 0;
  const send = (method: string, params: JsonObject = {}): Promise<JsonObject> =>
    new Promise((resolve, reject) => {
      const id = ++next;
      waiting.set(id, ({ result, error }) => {
        waiting.delete(id);
        if (isObject(result)) resolve(result);
        else reject(new Error(`${method}: ${JSON.stringify(error)}`));
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
  for (const domain of ['Page', 'Runtime', 'Log', 'Audits']) await send(`${domain}.enable`);
  const go = async (to: string): Promise<void> => {
    const loaded = new Promise<void>(resolve => events.set('Page.loadEventFired', resolve));
    await send('Page.navigate', { url: to });
    await loaded;
  };
  await go(url);
  return { send, go, complaints, value: expression => evaluate(send, expression) };
}

function isComplaint({ method, params }: JsonObject): boolean {
  if (!isObject(params)) return false;
  if (method === 'Runtime.exceptionThrown' || method === 'Audits.issueAdded') return true;
  if (method === 'Runtime.consoleAPICalled')
    return params.type === 'error' || params.type === 'warning';
  const entry = isObject(params.entry) ? params.entry : {};
  return method === 'Log.entryAdded' && (entry.level === 'error' || entry.level === 'warning');
}

async function evaluate(send: Tab['send'], expression: string): Promise<Json> {
  const params = { expression, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await send('Runtime.evaluate', params);
  if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
  return isObject(result) ? (result.value ?? null) : null;
}

// Requests that reach an emulator of the same process without a socket: HTTP over loopback costs more than most tests do. Everything
// that has an address only, such as the program, still connects to the port.
import { channel } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { Agent, Dispatcher, errors } from 'undici';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../../src/emulator/index.ts';
import { present } from '../../../src/model/errors.ts';

/** An emulator, and a dispatcher that hands requests for it to its server and sends all others. */
export interface DirectEmulator extends Emulator {
  readonly dispatcher: Dispatcher;
}

/** Starts an emulator. */
export async function startDirectly(options: EmulatorOptions): Promise<DirectEmulator> {
  const listening = channel('tracing:net.server.listen:asyncStart');
  let server: Server | undefined;
  const note = (message: unknown) => {
    server = (message as { readonly server: Server }).server;
  };
  listening.subscribe(note);
  // It listens before the call returns: no other server can be noted.
  const starting = startEmulator(options);
  listening.unsubscribe(note);
  const emulator = await starting;
  const dispatcher = new DirectDispatcher(present(server, 'the server'), emulator.url);
  return {
    ...emulator,
    dispatcher,
    close: async () => {
      await dispatcher.close();
      await emulator.close();
    },
  };
}

class DirectDispatcher extends Dispatcher {
  readonly #server: Server;
  readonly #origin: string;
  readonly #agent = new Agent();

  constructor(server: Server, origin: string) {
    super();
    this.#server = server;
    this.#origin = origin;
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    if (options.origin !== this.#origin) return this.#agent.dispatch(options, handler);
    const exchange = new Exchange(handler, options.method === 'HEAD');
    handler.onRequestStart?.(exchange, null);
    // As on a socket, nothing happens before the next turn of the event loop.
    setImmediate(() => {
      if (exchange.aborted) return;
      const incoming = new Incoming(options);
      this.#server.emit('request', incoming, exchange.response);
      incoming.send(typeof options.body === 'string' ? options.body : '');
    });
    return true;
  }

  override close(): Promise<void> {
    return this.#agent.close();
  }

  override destroy(): Promise<void> {
    return this.#agent.destroy();
  }
}

/** What the server reads of a request. */
class Incoming extends EventEmitter {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly socket = { remoteAddress: '127.0.0.1' };

  constructor({ method, path, headers }: Dispatcher.DispatchOptions) {
    super();
    this.method = method;
    this.url = path;
    this.headers = Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
    );
  }

  send(body: string): void {
    if (body !== '') this.emit('data', Buffer.from(body));
    this.emit('end');
  }
}

/** A request on its way, as its sender sees it and as the server answers it. */
class Exchange implements Dispatcher.DispatchController {
  aborted = false;
  reason: Error | null = null;
  readonly paused = false;
  readonly rawHeaders = null;
  readonly rawTrailers = null;
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #isWithoutBody: boolean;

  constructor(handler: Dispatcher.DispatchHandler, isWithoutBody: boolean) {
    this.#handler = handler;
    this.#isWithoutBody = isWithoutBody;
  }

  pause(): void {}
  resume(): void {}

  abort(reason: Error): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.#handler.onResponseError?.(this, reason);
  }

  /** What the server writes to. */
  get response() {
    const headers: Record<string, string> = {};
    let status = 200;
    const begin = () => this.#handler.onResponseStart?.(this, status, headers);
    const isOpen = () => !this.aborted;
    const response = {
      setHeader: (name: string, value: string | number) => {
        headers[name.toLowerCase()] = String(value);
      },
      writeHead: (code: number) => {
        status = code;
        return response;
      },
      end: (text: string) =>
        setImmediate(() => {
          if (!isOpen()) return;
          begin();
          if (text !== '' && !this.#isWithoutBody)
            this.#handler.onResponseData?.(this, Buffer.from(text));
          this.#handler.onResponseEnd?.(this, {});
        }),
      write: (part: Buffer, written: () => void) =>
        setImmediate(() => {
          if (!isOpen()) return;
          begin();
          this.#handler.onResponseData?.(this, part);
          written();
        }),
      destroy: () =>
        setImmediate(() => {
          if (isOpen()) this.abort(new errors.SocketError('other side closed'));
        }),
    };
    return response;
  }
}

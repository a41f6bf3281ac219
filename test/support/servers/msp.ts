// A managed service provider with tenants in one emulator of this process, for tests of whole fleets: one token, a state for each
// tenant, what each tenant was asked, and what goes wrong at one of them alone.
import type { Dispatcher } from 'undici';
import {
  type EmulatorOptions,
  type LoggedRequest,
  seededRandom,
  type Tenant,
  type TenantDraft,
} from '../../../src/emulator/index.ts';
import type { Json, JsonObject } from '../../../src/model/value.ts';
import { startDirectly } from './direct.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** An answer, whatever its status. */
interface TestAnswer {
  readonly status: number;
  readonly body: Json;
}

export interface TestMsp {
  readonly url: string;
  /** The token of a person of the provider who may act in every tenant. */
  readonly token: string;
  /** Hands requests to the emulator without a socket. */
  readonly dispatcher: Dispatcher;
  /**
   * Their ids are for `?account=`. The token of a tenant is that of its own owner: it opens this account alone, and has a rate limit
   * of its own.
   */
  readonly tenants: readonly Tenant[];
  /** The requests that named a tenant, in order; those for the provider itself without an id. Status 0: no answer. */
  readonly requestsOf: (tenant?: string) => readonly LoggedRequest[];
  /** Tells a listener of each request when it ends, so that somebody else can act in the middle of a run. */
  readonly onRequest: (listener: (request: LoggedRequest) => void) => void;
  /** A call with the token of the provider: in a tenant, or for the provider itself without an id. */
  readonly call: (
    tenant: string | undefined,
    method: Method,
    path: string,
    body?: Json,
  ) => Promise<TestAnswer>;
  /** A control that succeeds: of a tenant, or of the provider without an id. */
  readonly control: (
    tenant: string | undefined,
    method: Method,
    path: string,
    body?: Json,
  ) => Promise<Json>;
  /** A token of a new service user of the provider, who may not act in tenants. */
  readonly serviceToken: () => Promise<string>;
  /** A token of a new person of the provider who is in these groups of it. */
  readonly personToken: (groups: readonly string[]) => Promise<string>;
  /** The requests to come that name the tenant get no answer, ever. */
  readonly hang: (tenant: string) => Promise<void>;
  /** The requests to come that name the tenant are answered with a status and not carried out. */
  readonly fail: (tenant: string, status?: number) => Promise<void>;
  /** The answers to come for the tenant are late by so many milliseconds, by the schedule of the emulator. */
  readonly delay: (tenant: string, milliseconds: number) => Promise<void>;
  /** Ends all of these. */
  readonly mend: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface MspOptions
  extends Omit<EmulatorOptions, 'accounts' | 'msp' | 'random' | 'requestLog'> {
  /** How many tenants, `t001` with domain `t001.customer.example` and so on, or how each begins. */
  readonly tenants: number | readonly TenantDraft[];
  /** The state of every tenant that has none of its own: a snapshot, as `snapshotOf` of another account gives it. */
  readonly snapshot?: Json;
  /** Equal seeds give equal ids and orders. */
  readonly seed?: number;
}

const ALWAYS = Number.MAX_SAFE_INTEGER;

/** Starts a provider with tenants. The clock stands still unless another one is given. */
export async function startMsp({
  tenants: drafts,
  snapshot,
  seed = 1,
  ...options
}: MspOptions): Promise<TestMsp> {
  const count = typeof drafts === 'number' ? drafts : drafts.length;
  const draftOf = (index: number): TenantDraft => ({
    ...(snapshot !== undefined && { snapshot }),
    ...(typeof drafts === 'number' ? {} : drafts[index]),
  });
  const requests = new Map<string, LoggedRequest[]>();
  const listeners: ((request: LoggedRequest) => void)[] = [];
  const emulator = await startDirectly({
    controls: true,
    shuffle: true,
    clock: () => new Date('2026-01-02T03:04:05Z'),
    onFault: error => {
      throw error;
    },
    ...options,
    random: seededRandom(seed),
    accounts: count + 1,
    msp: draftOf,
    requestLog: request => {
      if (request.path.startsWith('/emulator/')) return;
      const { account = '' } = request;
      const known = requests.get(account);
      if (known === undefined) requests.set(account, [request]);
      else known.push(request);
      for (const listener of listeners) listener(request);
    },
  });
  const { url, token, controlsToken, dispatcher, tenants } = emulator;
  const send = async (
    key: string,
    [tenant, method, path, body]: readonly [
      string | undefined,
      Method,
      string,
      (Json | undefined)?,
    ],
  ): Promise<TestAnswer> => {
    const scope = tenant === undefined ? '' : `?account=${encodeURIComponent(tenant)}`;
    const answer = await dispatcher.request({
      origin: url,
      path: `${path}${scope}`,
      method,
      headers: { authorization: `Token ${key}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    return { status: answer.statusCode, body: isJson ? JSON.parse(text) : text };
  };
  const control: TestMsp['control'] = async (...request) => {
    const { status, body } = await send(controlsToken, request);
    if (status !== 200) throw new Error(`${request.join(' ')}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const fault = async (account: string, effect: JsonObject): Promise<void> => {
    const body = { account, times: ALWAYS, ...effect };
    await control(undefined, 'POST', '/emulator/faults', body);
  };
  const tokenOf = async (user: Json): Promise<string> => {
    const { id } = user as { id: string };
    const made = await control(undefined, 'POST', '/emulator/tokens', { user_id: id });
    return (made as { token: string }).token;
  };
  const call: TestMsp['call'] = (...request) => send(token, request);
  return {
    url,
    token,
    dispatcher,
    tenants,
    requestsOf: (tenant = '') => requests.get(tenant) ?? [],
    onRequest: listener => listeners.push(listener),
    call,
    control,
    serviceToken: async () => {
      const user = { name: 'ci', role: 'admin', auto_groups: [], is_service_user: true };
      return tokenOf((await call(undefined, 'POST', '/api/users', user)).body);
    },
    personToken: async groups => {
      const user = await control(undefined, 'POST', '/emulator/users', {
        name: 'ada',
        role: 'admin',
      });
      const { id } = user as { id: string };
      const path = `/api/users/${id}`;
      const body = { role: 'admin', auto_groups: [...groups], is_blocked: false };
      await call(undefined, 'PUT', path, body);
      return tokenOf(user);
    },
    hang: tenant => fault(tenant, { effect: 'hang' }),
    fail: (tenant, status = 500) => fault(tenant, { effect: 'status', status }),
    delay: (tenant, delay) => fault(tenant, { effect: 'delay', delay }),
    mend: async () => {
      await control(undefined, 'DELETE', '/emulator/faults');
    },
    close: emulator.close,
  };
}

// Integrations with directories: SCIM, and two directory providers (facts §5.18). A PUT changes only what it sends.
import type { Json } from '../../model/value.ts';
import { digest, masked, newSecretToken } from '../access/secret-tokens.ts';
import type { Account } from '../account.ts';
import { done, ok } from '../answer.ts';
import type { IntegrationCode } from '../audit/activities.ts';
import { flag, list, type Shape, text, whole } from '../body.ts';
import { synchronise } from '../directory-sync.ts';
import type { Environment } from '../environment.ts';
import type { ApiRequest, Handler, Handlers } from '../handler.ts';
import { nextNumber } from '../numbers.ts';
import type { DirectoryRecord, SyncLogRecord } from '../records/integrations.ts';
import { notFound, precondition } from '../refusal.ts';
import { NEVER, timestamp } from '../times.ts';
import { given } from './given.ts';

type Fields = Readonly<Record<string, Json>>;

/** What one directory is told besides its scope. Secrets are dropped: nothing here needs them. */
interface Directory {
  /** What its operations are named for. */
  readonly one: string;
  readonly many: string;
  /** The operation that reads its logs, and the one that asks it at once; empty where nobody can. */
  readonly logs: string;
  readonly runs: string;
  /** Where its integrations are, below the integrations of the account. */
  readonly segment: string;
  readonly created: Shape<Fields>;
  readonly updated: Shape<Fields>;
  /** What a creation has that does not say it. */
  readonly unsaid: Fields;
  /** Whether the directory is let in by a token, which is made and shown on creation. */
  readonly hasToken: boolean;
}

const INTERVAL = { sync_interval: whole };
const UNSAID_INTERVAL = { sync_interval: 300 };

const DIRECTORIES: readonly Directory[] = [
  {
    ...{ one: 'ScimIntegration', many: 'ScimIntegrations', segment: 'scim-idp' },
    ...{ logs: 'listScimLogs', runs: '' },
    created: given({ prefix: text, provider: text }),
    updated: given({ prefix: text }),
    unsaid: {},
    hasToken: true,
  },
  {
    ...{ one: 'DirectorySyncA', many: 'DirectorySyncsA', segment: 'idp-sync-a' },
    ...{ logs: 'listDirectorySyncLogsA', runs: 'runDirectorySyncA' },
    created: given({ client_id: text, tenant_id: text, host: text, ...INTERVAL }),
    updated: given({ client_id: text, tenant_id: text, ...INTERVAL }),
    unsaid: UNSAID_INTERVAL,
    hasToken: false,
  },
  {
    ...{ one: 'DirectorySyncB', many: 'DirectorySyncsB', segment: 'idp-sync-b' },
    ...{ logs: 'listDirectorySyncLogsB', runs: 'runDirectorySyncB' },
    created: given({ customer_id: text, ...INTERVAL }),
    updated: given({ customer_id: text, ...INTERVAL }),
    unsaid: UNSAID_INTERVAL,
    hasToken: false,
  },
];

const SCOPE = { group_prefixes: list(text), user_group_prefixes: list(text), connector_id: text };
const EMPTY_SCOPE = { group_prefixes: [], user_group_prefixes: [], connector_id: '' };
const CREATED_SCOPE = given(SCOPE);
const UPDATED_SCOPE = given({ ...SCOPE, enabled: flag });

export const directories: Handlers = Object.assign({}, ...DIRECTORIES.map(handlersOf));

function handlersOf(directory: Directory): Handlers {
  const { one, many, logs, runs, segment, created, updated, unsaid, hasToken } = directory;
  const table = (account: Account) => account.directory(segment);
  const find = (account: Account, request: ApiRequest): DirectoryRecord => {
    const id = request.path('id');
    const integration = table(account).get(id);
    if (integration === undefined) throw notFound('integration', id);
    return integration;
  };
  const log = (account: Account, code: IntegrationCode, target: string) =>
    account.log({ code, target, meta: { platform: segment } });

  return {
    [`list${many}`]: account => ok(table(account).all().map(view)),

    [`create${one}`]: (account, request, environment) => {
      const { own, token, revealed } = newToken(directory, environment);
      const integration: DirectoryRecord = {
        ...{ id: String(nextNumber(account, segment)), enabled: true, ...EMPTY_SCOPE },
        ...request.body(CREATED_SCOPE),
        ...{ own: { ...unsaid, ...request.body(created), ...own }, token },
        ...{ created_at: timestamp(environment.clock), last_synced_at: NEVER },
      };
      table(account).put(integration);
      log(account, 'integration.create', integration.id);
      return ok({ ...view(integration), ...revealed });
    },

    [`get${one}`]: (account, request) => ok(view(find(account, request))),

    [`update${one}`]: (account, request) => {
      const before = find(account, request);
      const own = { ...before.own, ...request.body(updated) };
      const integration: DirectoryRecord = { ...before, ...request.body(UPDATED_SCOPE), own };
      table(account).put(integration);
      log(account, 'integration.update', integration.id);
      return ok(view(integration));
    },

    ...(hasToken ? tokens(directory, find, log) : {}),
    ...(runs === '' ? {} : { [runs]: run(segment, find) }),

    [logs]: (account, request) => {
      const { id } = find(account, request);
      const own = account
        .directoryLogs(segment)
        .all()
        .filter(entry => entry.integration === id);
      return ok(own.toReversed().map(logView));
    },

    [`delete${one}`]: (account, request) => {
      const { id } = find(account, request);
      table(account).remove(id);
      account.directoryContent(segment).remove(id);
      for (const entry of account.directoryLogs(segment).all())
        if (entry.integration === id) account.directoryLogs(segment).remove(entry.id);
      log(account, 'integration.delete', id);
      return done();
    },
  };
}

type Find = (account: Account, request: ApiRequest) => DirectoryRecord;
type Log = (account: Account, code: IntegrationCode, target: string) => void;

/** Lets in a directory by another token from now on. */
function tokens(directory: Directory, find: Find, log: Log): Handlers {
  return {
    regenerateScimToken: (account, request, environment) => {
      const before = find(account, request);
      const { own, token, revealed } = newToken(directory, environment);
      account
        .directory(directory.segment)
        .put({ ...before, own: { ...before.own, ...own }, token });
      log(account, 'integration.update', before.id);
      return ok(revealed);
    },
  };
}

/** Asks a directory at once. */
function run(segment: string, find: Find): Handler {
  return (account, request, environment) => {
    const integration = find(account, request);
    if (!integration.enabled) throw precondition('the integration is not enabled');
    synchronise(account, segment, integration, environment);
    return ok({ result: 'ok' });
  };
}

function logView({ id, integration: _, ...entry }: SyncLogRecord) {
  return { id: Number(id), ...entry };
}

/** The token of a new integration: what is shown of it later on, what is kept to know it, and what is shown now. */
function newToken({ hasToken }: Directory, { random }: Environment) {
  if (!hasToken) return { own: {}, token: '', revealed: {} };
  const secret = newSecretToken('scim', random);
  const own = { auth_token: masked(secret) };
  return { own, token: digest(secret), revealed: { auth_token: secret } };
}

function view({ id, own, token: _, created_at: __, ...common }: DirectoryRecord) {
  return { id: Number(id), ...common, ...own };
}

// Integrations with directories: SCIM, and two directory providers. A PUT changes only the fields that it contains
// (docs/server-behaviour.md#scim-and-directory-sync).
import type { Json } from '../../model/value.ts';
import type { Environment } from '../environment.ts';
import { numberId } from '../ids/new-object.ts';
import { digest, masked, newSecretToken } from '../ids/secret-tokens.ts';
import type { IntegrationCode } from '../records/activities.ts';
import type { DirectoryRecord } from '../records/integrations.ts';
import { done, ok } from '../request/answer.ts';
import { flag, list, type Shape, text, whole } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { notFound } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { NEVER, timestamp } from '../time/times.ts';
import { presentFields } from './present-fields.ts';

type Fields = Readonly<Record<string, Json>>;

/** The fields of a directory, apart from its scope. Secrets are dropped, because the emulator does not need them. */
interface Directory {
  /** The name of the directory in operation ids. */
  readonly one: string;
  readonly many: string;
  /** The path of its integrations, below the integrations of the account. */
  readonly segment: string;
  readonly created: Shape<Fields>;
  readonly updated: Shape<Fields>;
  /** The defaults of fields that a creation omits. */
  readonly unsaid: Fields;
  /** Whether the directory authenticates with a token, which is created and shown once. */
  readonly hasToken: boolean;
}

const INTERVAL = { sync_interval: whole };
const UNSAID_INTERVAL = { sync_interval: 300 };

const DIRECTORIES: readonly Directory[] = [
  {
    one: 'ScimIntegration',
    many: 'ScimIntegrations',
    segment: 'scim-idp',
    created: presentFields({ prefix: text, provider: text }),
    updated: presentFields({ prefix: text }),
    unsaid: {},
    hasToken: true,
  },
  {
    one: 'DirectorySyncA',
    many: 'DirectorySyncsA',
    segment: 'idp-sync-a',
    created: presentFields({ client_id: text, tenant_id: text, host: text, ...INTERVAL }),
    updated: presentFields({ client_id: text, tenant_id: text, ...INTERVAL }),
    unsaid: UNSAID_INTERVAL,
    hasToken: false,
  },
  {
    one: 'DirectorySyncB',
    many: 'DirectorySyncsB',
    segment: 'idp-sync-b',
    created: presentFields({ customer_id: text, ...INTERVAL }),
    updated: presentFields({ customer_id: text, ...INTERVAL }),
    unsaid: UNSAID_INTERVAL,
    hasToken: false,
  },
];

const SCOPE = { group_prefixes: list(text), user_group_prefixes: list(text), connector_id: text };
const EMPTY_SCOPE = { group_prefixes: [], user_group_prefixes: [], connector_id: '' };
const CREATED_SCOPE = presentFields(SCOPE);
const UPDATED_SCOPE = presentFields({ ...SCOPE, enabled: flag });

export const directories: Handlers = Object.assign({}, ...DIRECTORIES.map(handlersOf));

function handlersOf(directory: Directory): Handlers {
  const { one, many, segment, created, updated, unsaid, hasToken } = directory;
  const table = (account: Account) => account.directory(segment);
  const find = (account: Account, request: ApiRequest) => findDirectory(account, segment, request);
  const log = (account: Account, code: IntegrationCode, target: string) =>
    account.log({ code, target, meta: { platform: segment } });

  return {
    [`list${many}`]: account => ok(table(account).all().map(view)),

    [`create${one}`]: (account, request, environment) => {
      const { own, token, revealed } = hasToken ? newToken(environment) : WITHOUT_TOKEN;
      const integration: DirectoryRecord = {
        id: numberId(table(account), { account, kind: segment }, environment),
        enabled: true,
        ...EMPTY_SCOPE,
        ...request.body(CREATED_SCOPE),
        own: { ...unsaid, ...request.body(created), ...own },
        token,
        created_at: timestamp(environment.clock),
        last_synced_at: NEVER,
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

/** The integration with a directory in the path of a request. */
export function findDirectory(
  account: Account,
  segment: string,
  request: ApiRequest,
): DirectoryRecord {
  const id = request.path('id');
  const integration = account.directory(segment).get(id);
  if (integration === undefined) throw notFound('integration', id);
  return integration;
}

const WITHOUT_TOKEN = { own: {}, token: '', revealed: {} };

/** A new token of a directory: its masked form, its digest, and its value, which is shown once. */
export function newToken({ random }: Environment) {
  const secret = newSecretToken('scim', random);
  const own = { auth_token: masked(secret) };
  return { own, token: digest(secret), revealed: { auth_token: secret } };
}

function view({ id, own, token: _, created_at: __, ...common }: DirectoryRecord) {
  return { id: Number(id), ...common, ...own };
}

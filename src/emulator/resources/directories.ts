// Integrations with directories: SCIM, and two directory providers (facts §5.18). A PUT changes only what it sends.
import type { Json } from '../../model/value.ts';
import { digest, masked, newSecretToken } from '../access/secret-tokens.ts';
import type { Account } from '../account.ts';
import { done, ok } from '../answer.ts';
import type { IntegrationCode } from '../audit/activities.ts';
import { flag, list, type Shape, text, whole } from '../body.ts';
import type { Environment } from '../environment.ts';
import type { ApiRequest, Handlers } from '../handler.ts';
import { nextNumber } from '../numbers.ts';
import type { DirectoryRecord } from '../records/integrations.ts';
import { notFound } from '../refusal.ts';
import { NEVER } from '../times.ts';
import { given } from './given.ts';

type Fields = Readonly<Record<string, Json>>;

/** What one directory is told besides its scope. Secrets are dropped: nothing here needs them. */
interface Directory {
  /** What its operations are named for. */
  readonly one: string;
  readonly many: string;
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
    created: given({ prefix: text, provider: text }),
    updated: given({ prefix: text }),
    unsaid: {},
    hasToken: true,
  },
  {
    ...{ one: 'DirectorySyncA', many: 'DirectorySyncsA', segment: 'idp-sync-a' },
    created: given({ client_id: text, tenant_id: text, host: text, ...INTERVAL }),
    updated: given({ client_id: text, tenant_id: text, ...INTERVAL }),
    unsaid: UNSAID_INTERVAL,
    hasToken: false,
  },
  {
    ...{ one: 'DirectorySyncB', many: 'DirectorySyncsB', segment: 'idp-sync-b' },
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
  const { one, many, segment, created, updated, unsaid } = directory;
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
      log(account, 'integration.delete', id);
      return done();
    },
  };
}

/** The token of a new integration: what is shown of it later on, what is kept to know it, and what is shown now. */
function newToken({ hasToken }: Directory, { random }: Environment) {
  if (!hasToken) return { own: {}, token: '', revealed: {} };
  const secret = newSecretToken('scim', random);
  const own = { auth_token: masked(secret) };
  return { own, token: digest(secret), revealed: { auth_token: secret } };
}

function view({ id, own, token: _, ...common }: DirectoryRecord) {
  return { id: Number(id), ...common, ...own };
}

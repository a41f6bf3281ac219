// Integrations with the four providers of endpoint detection, which differ only in their settings
// (docs/server-behaviour.md#edr-integrations).
import type { Json } from '../../model/value.ts';
import type { Environment } from '../environment.ts';
import { groupView } from '../groups/group-view.ts';
import { numberId } from '../ids/new-object.ts';
import type { IntegrationCode } from '../records/activities.ts';
import type { EdrRecord } from '../records/integrations.ts';
import { type Answer, done, ok } from '../request/answer.ts';
import { flag, list, object, optional, type Shape, text, whole } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { conflict, invalid, notFound } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { NEVER, timestamp } from '../time/times.ts';
import { presentFields } from './present-fields.ts';

/**
 * The fields of a provider, apart from groups, interval and secrets. Secrets are dropped, because the emulator does not need
 * them.
 */
interface Provider {
  readonly letter: string;
  readonly own: Shape<Readonly<Record<string, Json>>>;
}

const PROVIDERS: readonly Provider[] = [
  {
    letter: 'A',
    own: presentFields({
      api_url: text,
      match_attributes: presentFields({
        active_threats: whole,
        encrypted_applications: flag,
        firewall_enabled: flag,
        infected: flag,
        is_active: flag,
        is_up_to_date: flag,
        network_status: text,
        operational_state: text,
      }),
    }),
  },
  { letter: 'B', own: presentFields({ client_id: text, tenant_id: text }) },
  {
    letter: 'C',
    own: presentFields({
      match_attributes: presentFields({
        defender_policy_status: text,
        defender_status: text,
        defender_substatus: text,
        firewall_status: text,
      }),
    }),
  },
  { letter: 'D', own: presentFields({ cloud_id: text, zta_score_threshold: whole }) },
];

const COMMON = object({ groups: list(text), enabled: optional(flag), last_synced_interval: whole });

/** The default interval of a provider, in hours. */
const A_DAY = 24;

export const edr: Handlers = Object.assign({}, ...PROVIDERS.map(handlersOf));

function handlersOf({ letter, own }: Provider): Handlers {
  const id = `edr-provider-${letter.toLowerCase()}`;
  const find = (account: Account): EdrRecord => {
    const integration = account.edr.get(id);
    if (integration === undefined) throw notFound('integration', id);
    return integration;
  };
  const log = (account: Account, code: IntegrationCode) =>
    account.log({ code, target: String(find(account).number), meta: { platform: id } });

  return {
    [`getEdrProvider${letter}`]: (account, _request, environment) =>
      ok(view(account, find(account), environment)),

    [`createEdrProvider${letter}`]: (account, request, environment) => {
      const body = written(account, request, own, environment);
      if (account.edr.get(id) !== undefined) throw conflict(`integration ${id} already exists`);
      const number = Number(numberId(numbersOf(account), { account, kind: 'edr' }, environment));
      const { updated_at: created_at } = body;
      const created_by = request.caller.id;
      account.edr.put({ id, number, created_by, created_at, last_synced_at: NEVER, ...body });
      log(account, 'integration.create');
      return ok(view(account, find(account), environment));
    },

    [`updateEdrProvider${letter}`]: (account, request, environment) => {
      const body = written(account, request, own, environment);
      account.edr.put({ ...find(account), ...body });
      log(account, 'integration.update');
      return ok(view(account, find(account), environment));
    },

    [`deleteEdrProvider${letter}`]: (account, _request, environment) => {
      log(account, 'integration.delete');
      account.edr.remove(id);
      return letter === 'D' ? accepted(environment) : done();
    },
  };
}

/** Finds an integration by the number that is shown as its id. */
function numbersOf(account: Account) {
  return { get: (id: string) => account.edr.all().find(({ number }) => String(number) === id) };
}

/** The fields of a body, after its groups were checked. */
function written(
  account: Account,
  request: ApiRequest,
  own: Provider['own'],
  { clock }: Environment,
) {
  const { groups, enabled = true, last_synced_interval } = request.body(COMMON);
  for (const id of groups)
    if (account.groups.get(id) === undefined) throw invalid(`group id ${id} not found`);
  return {
    groups,
    enabled,
    last_synced_interval: last_synced_interval || A_DAY,
    own: request.body(own),
    updated_at: timestamp(clock),
  };
}

function accepted({ behaviour }: Environment): Answer {
  return behaviour.edrDeletions === 'alike' ? done() : { status: 202, text: '' };
}

function view(account: Account, integration: EdrRecord, environment: Environment) {
  const { id: _, number, own, groups, ...common } = integration;
  const known = groups.flatMap(id => account.groups.get(id) ?? []);
  return {
    id: number,
    account_id: account.id,
    ...common,
    ...own,
    groups: known.map(group => groupView(account, group, environment)),
  };
}

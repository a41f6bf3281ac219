// The DNS settings of an account (docs/server-behaviour.md#dns).

import { ok } from '../request/answer.ts';
import { list, object, optional, text } from '../request/body.ts';
import type { Handlers } from '../request/handler.ts';
import { invalid, notFound } from '../request/refusal.ts';
import { type Account, settingsOf } from '../store/account.ts';

const BODY = object({ disabled_management_groups: optional(list(text)) });

export const dnsSettings: Handlers = {
  getDnsSettings: account => ok(view(account)),

  updateDnsSettings: (account, request) => {
    const { disabled_management_groups: groups } = request.body(BODY);
    // The server writes no row in this case, and then responds that the account does not exist.
    if (groups === undefined) throw notFound('account', account.id);
    for (const id of groups) {
      if (id === '') throw invalid('group ID should not be empty string');
      if (account.groups.get(id) === undefined) throw invalid(`group id ${id} not found`);
    }
    const before = settingsOf(account);
    account.settings.put({ ...before, disabled_management_groups: groups });
    logGroups(account, before.disabled_management_groups, groups);
    return ok(view(account));
  },
};

function view(account: Account) {
  const { disabled_management_groups } = settingsOf(account);
  return { disabled_management_groups };
}

function logGroups(account: Account, before: readonly string[], after: readonly string[]): void {
  const tell = (what: 'add' | 'delete', id: string) =>
    account.log({
      code: `dns.setting.disabled.management.group.${what}`,
      target: account.id,
      meta: { group: account.groups.get(id)?.name ?? '', group_id: id },
    });
  for (const id of new Set(after)) if (!before.includes(id)) tell('add', id);
  for (const id of new Set(before)) if (!after.includes(id)) tell('delete', id);
}

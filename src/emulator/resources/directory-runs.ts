// Operations on directories other than reading and writing them: sync, log, and a new token for SCIM
// (docs/server-behaviour.md#scim-and-directory-sync).
import { synchronise } from '../people/directory-sync.ts';
import { ok } from '../request/answer.ts';
import type { Handler, Handlers } from '../request/handler.ts';
import { precondition } from '../request/refusal.ts';
import { findDirectory, newToken } from './directories.ts';

const SCIM = 'scim-idp';

export const directoryRuns: Handlers = {
  regenerateScimToken: (account, request, environment) => {
    const before = findDirectory(account, SCIM, request);
    const { own, token, revealed } = newToken(environment);
    account.directory(SCIM).put({ ...before, own: { ...before.own, ...own }, token });
    account.log({ code: 'integration.update', target: before.id, meta: { platform: SCIM } });
    return ok(revealed);
  },
  listScimLogs: logsOf(SCIM),
  runDirectorySyncA: runOf('idp-sync-a'),
  listDirectorySyncLogsA: logsOf('idp-sync-a'),
  runDirectorySyncB: runOf('idp-sync-b'),
  listDirectorySyncLogsB: logsOf('idp-sync-b'),
};

/** Synchronises a directory immediately. */
function runOf(segment: string): Handler {
  return (account, request, environment) => {
    const integration = findDirectory(account, segment, request);
    if (!integration.enabled) throw precondition('the integration is not enabled');
    synchronise(account, segment, integration, environment);
    return ok({ result: 'ok' });
  };
}

/** The log entries, newest first. */
function logsOf(segment: string): Handler {
  return (account, request) => {
    const { id } = findDirectory(account, segment, request);
    const all = account.directoryLogs(segment).all().toReversed();
    const own = all.filter(entry => entry.integration === id);
    return ok(own.map(({ integration: _, ...entry }) => ({ ...entry, id: Number(entry.id) })));
  };
}

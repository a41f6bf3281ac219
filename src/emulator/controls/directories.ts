// Controls for external systems: the content of a directory, and DNS records.
import { synchronise } from '../people/directory-sync.ts';
import { done, ok } from '../request/answer.ts';
import { list, object, text } from '../request/body.ts';
import { notFound } from '../request/refusal.ts';
import type { Control } from './control.ts';

const CONTENT = object({
  users: list(object({ email: text, name: text })),
  groups: list(object({ name: text, members: list(text) })),
});

/** The directory that pushes its changes. */
const TELLS = 'scim-idp';

/**
 * Sets the content of a directory to `users` and `groups`, whose `members` are emails. SCIM pushes the content immediately; other
 * directories are polled later.
 */
export const fillDirectory: Control = ({ account, environment, path, body }) => {
  const segment = path('directory');
  const id = path('id');
  const integration = account.directory(segment).get(id);
  if (integration === undefined) throw notFound('integration', id);
  account.directoryContent(segment).put({ id, ...body(CONTENT) });
  if (segment === TELLS && integration.enabled)
    synchronise(account, segment, integration, environment);
  return done();
};

/** Sets the DNS records of a `domain` to `texts`. Responds with the records. */
export const publishDns: Control = ({ account, body }) => {
  const { domain, texts } = body(object({ domain: text, texts: list(text) }));
  account.installation.dns.put({ id: domain, texts });
  return ok({ domain, texts });
};

// What the bare server answers to a POST: the object of the request in the form in which a server of dialect `netbird` has it. Ids
// come from names, so that the same writes are the same bytes in every run.

interface Body {
  readonly name?: string;
  readonly address?: string;
  readonly groups?: readonly string[];
  readonly rules?: readonly Rule[];
}

interface Rule {
  readonly sources?: readonly string[];
  readonly destinations?: readonly string[];
}

/** An object that was created at a path, and its id. */
export function made(path: string, text: string): { readonly id: string; readonly answer: string } {
  const body: Body = JSON.parse(text);
  const id = body.name ?? `only of ${path.split('/')[3]}`;
  return { id, answer: JSON.stringify({ ...body, id, ...computed(path, id, body) }) };
}

function computed(path: string, id: string, { address, groups, rules }: Body): object {
  if (path === '/api/groups')
    return { peers: null, resources: null, peers_count: 0, resources_count: 0, issued: 'api' };
  if (path === '/api/networks')
    return { routers: null, resources: null, policies: null, routing_peers_count: 0 };
  if (path === '/api/policies')
    return {
      source_posture_checks: null,
      rules: rules?.map(rule => ({
        ...rule,
        id,
        sources: summaries(rule.sources),
        destinations: summaries(rule.destinations),
      })),
    };
  if (path.endsWith('/resources'))
    return {
      type: 'host',
      address: `${address}`.replace(/(?<!\/\d+)$/, '/32'),
      groups: summaries(groups),
    };
  return {};
}

const summaries = (ids: readonly string[] = []): readonly object[] =>
  ids.map(id => ({ id, name: id, peers_count: 0, resources_count: 0 }));

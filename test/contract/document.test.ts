// schemas/openapi.yaml is an OpenAPI 3.1 document in shape, complete and without leftovers.
import { describe, expect, it } from 'vitest';
import { children, isNodeObject, type Node, readDocument } from '../../src/contract/document.ts';
import { loadContract } from '../../src/contract/index.ts';
import { newCheck } from '../../src/contract/validators.ts';
import { CLOUD_ONLY, OPERATIONS, PUBLIC, WITHOUT_BODY } from './operations.ts';

const document = readDocument();
const { operations, netbirdOperations } = loadContract();
const at = (...names: string[]): Node => {
  let node: Node = document;
  for (const name of names) node = isNodeObject(node) ? (node[name] ?? null) : null;
  return node;
};

describe('the document', () => {
  it('is OpenAPI 3.1 with a title, a version, a server and both ways to sign in', () => {
    expect(at('openapi')).toMatch(/^3\.1\.\d+$/);
    expect(at('info')).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    expect(at('servers')).toEqual([expect.objectContaining({ url: '{base_url}' })]);
    expect(at('components', 'securitySchemes')).toMatchObject({
      bearerToken: { type: 'http', scheme: 'bearer' },
      personalAccessToken: { type: 'apiKey', in: 'header', name: 'Authorization' },
    });
    expect(at('security')).toEqual([{ bearerToken: [] }, { personalAccessToken: [] }]);
  });

  it('has no top-level member that OpenAPI 3.1 does not know', () => {
    const known = ['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'components'];
    const others = Object.keys(document).filter(name => !known.includes(name));
    expect(others).toEqual(['x-netbird-paths']);
  });

  it('uses every component, and defines every component it uses', () => {
    const uses = new Set(references(document));
    const components = children(document, { pointer: '/components', node: at('components') });
    const unused = components
      .filter(([section]) => section !== 'securitySchemes')
      .flatMap(([section, place]) =>
        children(document, place).map(([name]) => `#/components/${section}/${name}`),
      )
      .filter(reference => !uses.has(reference));
    expect(unused).toEqual([]);
  });

  it('has only schemas that a strict validator accepts', () => {
    const check = newCheck(document);
    const schemas = children(document, {
      pointer: '/components/schemas',
      node: at('components', 'schemas'),
    });
    for (const [, place] of schemas) expect(() => check(place.pointer, {})).not.toThrow();
    expect(schemas.length).toBeGreaterThan(100);
  });

  it('describes every schema, response, parameter and tag', () => {
    for (const section of ['schemas', 'responses', 'parameters'])
      for (const [name, place] of children(document, {
        pointer: '',
        node: at('components', section),
      }))
        expect(place.node, name).toMatchObject({ description: expect.stringMatching(/\S/) });
    for (const [, tag] of children(document, { pointer: '', node: at('tags') }))
      expect(tag.node).toMatchObject({ description: expect.stringMatching(/\S/) });
  });
});

describe('the operations', () => {
  it('are the 142 of the specification, and no others', () => {
    const line = (one: { method: string; path: string; notShown: boolean }) =>
      `${one.method} ${one.path}${one.notShown ? ' not shown' : ''}`;
    expect(operations.map(line).toSorted()).toEqual(OPERATIONS.map(line).toSorted());
    expect(operations).toHaveLength(142);
  });

  it('have ids in camel case, a summary without a full stop, and a tag that is described', () => {
    const tags = children(document, { pointer: '', node: at('tags') }).map(([, tag]) =>
      isNodeObject(tag.node) ? tag.node.name : undefined,
    );
    for (const { id, summary, tag } of operations) {
      expect(id).toMatch(/^[a-z]+([A-Z][a-z]*)+$/);
      expect(summary, id).toMatch(/[^.]$/);
      expect(tags).toContain(tag);
    }
    const used = [...operations, ...netbirdOperations].map(({ tag }) => tag);
    expect(new Set(used).size).toBe(tags.length);
  });

  it('are in the order of their tags', () => {
    const tags = children(document, { pointer: '', node: at('tags') }).map(([, tag]) =>
      isNodeObject(tag.node) ? tag.node.name : undefined,
    );
    const places = operations.map(({ tag }) => tags.indexOf(tag));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it('are named for what they do if they read, create, replace or delete one object', () => {
    const verbs = { GET: ['get', 'list'], POST: ['create'], PUT: ['update'], DELETE: ['delete'] };
    const others = operations.filter(
      ({ id, method }) => !verbs[method].some(verb => id.startsWith(verb)),
    );
    expect(others.map(({ id }) => id).toSorted()).toEqual([
      'acceptUserInvite',
      'answerMspTenantInvite',
      'approveUser',
      'changeMspTenantSubscription',
      'changePassword',
      'inviteMspTenant',
      'regenerateScimToken',
      'regenerateUserInvite',
      'rejectUser',
      'resendUserInvitation',
      'runDirectorySyncA',
      'runDirectorySyncB',
      'unlinkMspTenant',
      'verifyMspTenantDomain',
    ]);
  });

  it('declare exactly the placeholders of their path, all required', () => {
    for (const { id, path, parameters } of operations) {
      const inPath = parameters.filter(parameter => parameter.in === 'path');
      const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(inPath.map(({ name }) => name).toSorted(), id).toEqual(placeholders.toSorted());
      expect(inPath.every(({ required }) => required)).toBe(true);
      expect(parameters.every(({ description }) => description !== '')).toBe(true);
    }
  });

  it('have a body exactly if the specification gives them one', () => {
    for (const { id, method, request, requestRequired } of operations) {
      const takes = (method === 'POST' || method === 'PUT') && !WITHOUT_BODY.includes(id);
      expect(request !== undefined, id).toBe(takes);
      expect(requestRequired, id).toBe(takes && id !== 'regenerateUserInvite');
    }
  });

  it('are answered with 200, with 401 if they need credentials, and with any other status, each with a schema', () => {
    for (const { id, replies } of operations) {
      const statuses = replies.map(({ status }) => status);
      expect(statuses, id).toEqual(expect.arrayContaining(['200', 'default']));
      expect(statuses.includes('401'), id).toBe(!PUBLIC.includes(id));
      const bodiless = replies.filter(({ schema }) => schema === undefined);
      expect(
        bodiless.map(({ status }) => status),
        id,
      ).toEqual(id === 'deleteEdrProviderD' ? ['202'] : []);
    }
  });

  it('need credentials, except two', () => {
    const open = operations.filter(one => one.public).map(({ id }) => id);
    expect(open.toSorted()).toEqual(PUBLIC.toSorted());
  });

  it('are marked if only the hosted service has them', () => {
    const marked = operations.filter(({ cloudOnly }) => cloudOnly).map(({ path }) => path);
    expect(marked).toEqual(
      operations.map(({ path }) => path).filter(path => CLOUD_ONLY.test(path)),
    );
    expect(marked).toHaveLength(11);
  });

  it('are marked if they need the embedded identity provider', () => {
    const marked = operations.filter(({ embeddedIdp }) => embeddedIdp).map(({ path }) => path);
    const needs = /^\/api\/users\/invites|\/password$|^\/api\/identity-providers/;
    expect(marked).toEqual(operations.map(({ path }) => path).filter(path => needs.test(path)));
    expect(marked).toHaveLength(12);
  });

  it('keep their placeholders if servers of another dialect have them at another path', () => {
    const moved = operations.filter(({ netbirdPath }) => netbirdPath !== undefined);
    const placeholders = (path = '') => [...path.matchAll(/\{\w+\}/g)].map(([name]) => name);
    for (const { path, netbirdPath } of moved)
      expect(placeholders(netbirdPath)).toEqual(placeholders(path));
    expect(moved).toHaveLength(4 * 4 + 2 * 7 + 5);
  });

  it('have an order if they are logs or jobs, and otherwise none', () => {
    const ordered = operations.flatMap(({ id, replies }) => {
      const lists = replies.flatMap(reply => reply.ordered);
      return lists.length === 0 ? [] : [[id, ...lists]];
    });
    expect(ordered).toEqual([
      ['listJobs', ''],
      ['listScimLogs', ''],
      ['listDirectorySyncLogsA', ''],
      ['listDirectorySyncLogsB', ''],
      ['listAuditEvents', ''],
      ['listNetworkTrafficEvents', '/data', '/data/*/events'],
      ['listProxyAccessLogs', '/data'],
    ]);
  });

  it('have lists in the order in which they were written', () => {
    const kept = (id: string) =>
      operations.find(one => one.id === id)?.replies.flatMap(reply => reply.keptOrder);
    expect(kept('getPolicy')).toEqual([
      '/source_posture_checks',
      '/rules',
      '/rules/*/ports',
      '/rules/*/port_ranges',
      '/rules/*/sources',
      '/rules/*/destinations',
    ]);
    expect(kept('listUsers')).toEqual(['/*/auto_groups']);
    expect(kept('listPeers')).toEqual([]);
  });

  it('write and read different schemas', () => {
    for (const { id, request, replies } of operations) {
      if (request === undefined) continue;
      const [answer] = replies;
      expect(answer?.status).toBe('200');
      expect(request, id).not.toBe(answer?.schema);
      expect(request, id).toMatch(/Request$/);
    }
  });
});

describe('the paths that only dialect netbird has', () => {
  it('are 36 operations, which are not among the 142', () => {
    expect(netbirdOperations).toHaveLength(36);
    const known = new Set(operations.map(({ id }) => id));
    for (const { id, summary, replies } of netbirdOperations) {
      expect(known).not.toContain(id);
      expect(loadContract().operation(id)).toBeDefined();
      expect(id).toMatch(/^[a-z]+([A-Z][a-z]*)+$/);
      expect(summary).toMatch(/[^.]$/);
      const statuses = replies.map(({ status }) => status);
      expect(statuses).toEqual(expect.arrayContaining(['401', 'default']));
      const bodiless = replies.filter(({ schema }) => schema === undefined);
      expect(bodiless.map(({ status }) => status)).toEqual(EMPTY[id] ?? []);
      expect(statuses.includes('200')).toBe(!(id in EMPTY));
    }
  });

  it('have a body exactly if they create or update', () => {
    for (const { id, method, request } of netbirdOperations)
      expect(request !== undefined, id).toBe(method === 'POST' || method === 'PUT');
  });

  it('declare exactly the placeholders of their path', () => {
    for (const { id, path, parameters } of netbirdOperations) {
      const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(parameters.map(({ name }) => name).toSorted(), id).toEqual(placeholders.toSorted());
    }
  });
});

/** Operations whose success has no body, with its status. */
const EMPTY: Readonly<Record<string, readonly string[]>> = {
  deleteProxyDomain: ['204'],
  validateProxyDomain: ['202'],
};

describe('the editions', () => {
  const offered = operations.filter(({ editions }) => editions.includes('self-hosted'));

  it('offer every operation in the hosted service', () => {
    expect(operations.every(({ editions }) => editions.includes('cloud'))).toBe(true);
  });

  it('leave out of a self-hosted server what the open-source server does not have', () => {
    const left = operations
      .filter(one => !offered.includes(one))
      .map(({ tag, path }) => [tag, path]);
    const tags = new Set(left.map(([tag]) => tag));
    expect([...tags]).toEqual([
      'Ingress',
      'MSP tenants',
      'Endpoint detection',
      'Directory sync',
      'Notifications',
      'Event streaming',
      'Event logs',
    ]);
    const logs = left.filter(([tag]) => tag === 'Event logs').map(([, path]) => path);
    expect(logs).toEqual(['/api/events/network-traffic']);
    const others = offered.filter(({ tag }) => tags.has(tag)).map(({ path }) => path);
    expect(others).toEqual(['/api/events/audit', '/api/events/proxy']);
  });

  it('say at least what the specification says of the hosted service', () => {
    const cloudOnly = operations.filter(one => one.cloudOnly);
    expect(cloudOnly.filter(({ editions }) => editions.includes('self-hosted'))).toEqual([]);
  });
});

function references(node: Node): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = isNodeObject(node) && typeof node.$ref === 'string' ? [node.$ref] : [];
  return [...own, ...Object.values(node).flatMap(references)];
}

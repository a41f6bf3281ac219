// A DNS record that hides a wildcard record: at its end, the name of a resource leads to another machine, which gives access.

/** The groups of `led`. */
export const GROUPS =
  'groups: [{ name: staff }, { name: contractors, peers: [ada] }, { name: servers, peers: [db] }]\n';

/** A rule from groups to the servers. */
export const rule = (sources: string) =>
  `{ name: a, sources: ${sources}, destinations: [servers], protocol: tcp, ports: ["22"] }`;

/** A network whose resource has the domain `app.internal`, and a zone with a wildcard record and these records. */
export const led = (records: string) => `${GROUPS}networks:
  - name: office
    resources:
      - { name: app, address: app.internal, groups: [servers] }
      - { name: vault, address: 10.20.0.5, groups: [staff] }
    routers: [{ peer_groups: [servers], metric: 100, masquerade: true }]
policies:
  - { name: app, rules: [${rule('[contractors]')}] }
dns:
  zones:
    - domain: internal
      name: names
      distribution_groups: [All]
      records:
        - { name: "*.internal", type: A, content: 10.20.0.5 }
${records}`;

/** The record that hides the wildcard record. */
export const HIDING =
  '        - { name: app.internal, type: A, content: 10.30.0.7, lifecycle: { until: 2026-12-01 } }\n';

/** A grant beside it. */
export const GRANT = `policies:\n  - { name: other, lifecycle: { until: 2026-12-01 }, rules: [${rule('[staff]')}] }\n`;

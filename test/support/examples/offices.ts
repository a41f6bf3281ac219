// Desired state of a chosen size: offices of ten objects each, as YAML.

/** Objects of one office: a network with a router and four resources, two groups, two policies. */
export const OBJECTS_PER_OFFICE = 10;

const office = (n: number): string => `
groups: [{ name: staff-${n} }, { name: services-${n} }]
networks:
  - name: office-${n}
    routers: [{ peer_groups: [staff-${n}], metric: 100, masquerade: true }]
    resources:
${[1, 2, 3, 4].map(i => `      - { name: host-${n}-${i}, address: 10.${n >> 8}.${n & 255}.${i}, groups: [services-${n}] }`).join('\n')}
policies:
${['tcp', 'udp'].map(protocol => `  - { name: ${protocol}-${n}, rules: [{ name: ${protocol}, sources: [staff-${n}], destinations: [services-${n}], protocol: ${protocol} }] }`).join('\n')}
`;

/** Desired state of so many objects, a document an office. */
export function offices(objects: number): string {
  const count = objects / OBJECTS_PER_OFFICE;
  return Array.from({ length: count }, (_, n) => office(n)).join('---\n');
}

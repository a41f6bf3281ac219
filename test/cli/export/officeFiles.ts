// A small network, whose objects tests of exports rename.

/** Groups, a network with a resource, and policies that refer to them. */
export const OFFICE = `groups:
  - { name: servers, peers: [] } # the racks
  - { name: staff }
networks:
  - { name: office, resources: [{ name: printer, address: 10.0.0.5, groups: [servers] }] }
policies:
  - name: staff reach servers
    rules: [{ name: r, protocol: all, sources: [staff], destinations: [servers] }]
  - name: staff print
    rules: [{ name: r, protocol: all, sources: [staff], destinationResource: { network_resource: office/printer } }]
`;

// Loaded into the peers: refuses every connection and name lookup that would leave this machine.
const dns = require('node:dns');
const net = require('node:net');

const isLocal = (host) =>
  host === undefined || host === 'localhost' || host === '::1' || /^127\./.test(host);

function refused(host) {
  return Object.assign(new Error(`The benchmark keeps the network closed: ${host}`), {
    code: 'ECONNREFUSED',
  });
}

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  // net.connect() hands over its own normalized arguments as one array
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const host =
    typeof first === 'object' ? first?.host : typeof second === 'string' ? second : undefined;
  if (isLocal(host)) return connect.apply(this, args);
  process.nextTick(() => this.destroy(refused(host)));
  return this;
};

const lookup = dns.lookup;
dns.lookup = (host, ...rest) => {
  if (isLocal(host)) return lookup(host, ...rest);
  process.nextTick(rest.at(-1), refused(host));
};
dns.promises.lookup = async (host) => {
  throw refused(host);
};

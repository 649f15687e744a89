/** A proxy with these traps and no others: user code may give all objects a `get` or a `has`. */
export function ownProxy<Target extends object>(
  target: Target,
  handler: ProxyHandler<Target>,
): Target {
  return new Proxy(target, Object.setPrototypeOf(handler, null));
}

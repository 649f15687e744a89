export default function none(): never {
  throw new Error('not in a report');
}

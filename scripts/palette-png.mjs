// Pictures of pages have few colours: with a palette of 256 a PNG is less than half as large, and looks the same.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/** Turns a PNG of 8 bits a channel, without interlacing, into one with a palette; it becomes opaque. */
export function toPalettePng(png) {
  const { width, height, pixels } = decode(png);
  const palette = paletteOf(pixels, 256);
  const rows = Buffer.alloc((width + 1) * height);
  const nearest = nearestIn(palette);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      rows[y * (width + 1) + 1 + x] = nearest(pixels[y * width + x]);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flat());
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The pixels as 24 bits each, row by row. */
function decode(png) {
  const parts = new Map();
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const name = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    parts.set(name, Buffer.concat([parts.get(name) ?? Buffer.alloc(0), data]));
    at += length + 12;
  }
  const header = parts.get('IHDR');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const size = header[9] === 6 ? 4 : 3;
  if (header[8] !== 8 || ![2, 6].includes(header[9]) || header[12] !== 0) {
    throw new Error('a PNG of 8 bits a channel, without interlacing, is needed');
  }
  const bytes = unfilter(inflateSync(parts.get('IDAT')), width * size, height, size);
  const pixels = new Uint32Array(width * height);
  for (let n = 0; n < pixels.length; n += 1) pixels[n] = bytes.readUIntBE(n * size, 3);
  return { width, height, pixels };
}

/** Undoes what makes rows easier to compress: https://www.w3.org/TR/png-3/#9Filters */
function unfilter(rows, stride, height, size) {
  const bytes = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < size ? 0 : bytes[at - size];
      const up = y === 0 ? 0 : bytes[at - stride];
      const corner = x < size || y === 0 ? 0 : bytes[at - stride - size];
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      bytes[at] = rows[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return bytes;
}

function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(guess - value));
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** At most so many colours that every one of the pixels is near to one of them, the frequent ones as they are. */
function paletteOf(pixels, most) {
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const colours = [...counts].sort(([, one], [, two]) => two - one).map(([colour]) => colour);
  for (let near = 0; ; near += 2) {
    const palette = apart(colours, near, most);
    if (palette !== undefined) return palette;
  }
}

/** The first colours that are further than this from those before them; `undefined` when they are too many. */
function apart(colours, near, most) {
  const palette = [];
  for (const colour of colours) {
    const wanted = channels(colour);
    if (palette.some((part) => distance(part, wanted) <= near ** 2)) continue;
    if (palette.length === most) return undefined;
    palette.push(wanted);
  }
  return palette;
}

function distance(one, two) {
  return one.reduce((sum, value, n) => sum + (value - two[n]) ** 2, 0);
}

/** Finds for a colour the place of the palette's that is nearest. */
function nearestIn(palette) {
  const known = new Map();
  return (colour) => {
    let place = known.get(colour);
    if (place === undefined) {
      const wanted = channels(colour);
      const distances = palette.map((part) => distance(part, wanted));
      place = distances.indexOf(Math.min(...distances));
      known.set(colour, place);
    }
    return place;
  };
}

function channels(colour) {
  return [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

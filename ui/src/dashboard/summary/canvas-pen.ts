/** The style of text. Colours are names of design tokens, without their dashes. */
interface TextLook {
  readonly size?: number;
  readonly weight?: number;
  readonly colour?: string;
  readonly align?: CanvasTextAlign;
  readonly isMono?: boolean;
}

/** Draws in the fonts and colours of the page. */
export interface Pen {
  readonly rect: (x: number, y: number, width: number, height: number, colour: string) => void;
  /** A diamond around a point, with an edge in the background colour. */
  readonly diamond: (x: number, y: number, colour: string) => void;
  /** Draws text and returns its width. */
  readonly text: (text: string, x: number, y: number, look?: TextLook) => number;
}

/** Half of the diagonal of a diamond, in pixels. */
const diamond = 5;

/** A pen for a canvas. */
export function canvasPen(context: CanvasRenderingContext2D): Pen {
  const paint = tokenColours();
  const style = getComputedStyle(document.documentElement);
  const sans = style.getPropertyValue('--sans');
  const mono = style.getPropertyValue('--mono');
  return {
    rect: (x, y, width, height, colour) => {
      context.fillStyle = paint(colour);
      context.fillRect(x, y, width, height);
    },
    diamond: (x, y, colour) => {
      for (const [size, tone] of [
        [diamond + 1.5, 'ground'],
        [diamond, colour],
      ] as const) {
        context.fillStyle = paint(tone);
        context.beginPath();
        context.moveTo(x, y - size);
        context.lineTo(x + size, y);
        context.lineTo(x, y + size);
        context.lineTo(x - size, y);
        context.fill();
      }
    },
    text: (text, x, y, look = {}) => {
      const { size = 13, weight = 400, colour = 'ink', align = 'left', isMono = false } = look;
      context.font = `${weight} ${size}px ${isMono ? mono : sans}`;
      context.fillStyle = paint(colour);
      context.textAlign = align;
      context.fillText(text, x, y);
      return context.measureText(text).width;
    },
  };
}

/** Resolves tokens, which are `light-dark(…)`, to colours, with an element in the page. */
function tokenColours(): (token: string) => string {
  const known = new Map<string, string>();
  return (token) => {
    const before = known.get(token);
    if (before !== undefined) return before;
    const probe = document.createElement('i');
    probe.style.color = `var(--${token})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    known.set(token, color);
    return color;
  };
}

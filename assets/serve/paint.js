// Draws the cells of a screen, and the shapes of its drawings, on a canvas.

const BOLD = 1, DIM = 2, UNDERLINED = 4, ITALIC = 8;
const FONT = '"JetBrains Mono", "DejaVu Sans Mono", "Cascadia Mono", Menlo, Consolas, monospace';
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u;
const BRAILLE = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [0, 3], [1, 3]];

const hex = (number) => '#' + number.toString(16).padStart(6, '0');

export class Painter {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d', { alpha: false });
    this.columns = this.rows = 0;
    this.cells = [];
    this.drawings = [];
    this.colours = ['#dddddd', '#111111'];
    this.selection = null;
    this.setFont(15);
  }

  /// Sets the font size in CSS pixels; a cell is a whole number of device pixels.
  setFont(size) {
    this.size = size;
    this.ratio = window.devicePixelRatio || 1;
    const context = this.context;
    context.font = `${size * this.ratio}px ${FONT}`;
    this.width = Math.max(3, Math.round(context.measureText('0000000000').width / 10));
    this.height = Math.max(6, Math.round(size * this.ratio * 1.25));
  }

  /// Columns and rows that fit into CSS pixels.
  fit(width, height) {
    return [Math.floor(width * this.ratio / this.width), Math.floor(height * this.ratio / this.height)];
  }

  resize(columns, rows) {
    this.columns = columns;
    this.rows = rows;
    this.cells = Array.from({ length: columns * rows }, () => [' ', -1, -1, 0]);
    this.lay();
  }

  lay() {
    const { canvas, columns, rows } = this;
    canvas.width = columns * this.width;
    canvas.height = rows * this.height;
    canvas.style.width = canvas.width / this.ratio + 'px';
    canvas.style.height = canvas.height / this.ratio + 'px';
  }

  /// Takes a frame in and draws what changed.
  take(frame) {
    const [columns, rows] = frame.size;
    const colours = frame.colours.join() !== this.colours.join();
    const resized = columns !== this.columns || rows !== this.rows;
    this.colours = frame.colours;
    if (resized) this.resize(columns, rows);
    const touched = [];
    for (const [x, y, front, back, modifiers, text] of frame.cells) {
      const parts = WIDE.test(text) ? [text] : Array.from(text);
      // A symbol of several characters is a run of its own.
      const symbols = parts.length > 1 && /\p{M}|\u200d/u.test(text) ? [text] : parts;
      symbols.forEach((symbol, n) => {
        const at = y * columns + x + n;
        this.cells[at] = [symbol, front, back, modifiers];
        touched.push(at);
      });
      if (WIDE.test(text) && x + 1 < columns) {
        this.cells[y * columns + x + 1] = ['', front, back, modifiers];
        touched.push(y * columns + x + 1);
      }
    }
    if (frame.drawings) this.drawings = frame.drawings;
    if (resized || colours || this.drawings.length || frame.drawings || this.selection) this.all();
    else touched.forEach((at) => this.cell(at));
  }

  all() {
    this.context.fillStyle = this.colours[1];
    this.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    for (let at = 0; at < this.cells.length; at++) this.cell(at);
    for (const drawing of this.drawings) this.draw(drawing);
  }

  colour(code, usual) {
    if (code === -1) return this.colours[usual];
    if (code === -2) return this.colours[1 - usual];
    return hex(code);
  }

  cell(at) {
    const [symbol, front, back, modifiers] = this.cells[at];
    if (symbol === '') return;
    const { context, width, height } = this;
    const column = at % this.columns;
    const x = column * width, y = Math.floor(at / this.columns) * height;
    const span = WIDE.test(symbol) ? 2 * width : width;
    const selected = this.isSelected(at);
    context.fillStyle = this.colour(selected ? front : back, selected ? 0 : 1);
    context.fillRect(x, y, span, height);
    if (symbol === ' ') return;
    const colour = this.colour(selected ? back : front, selected ? 1 : 0);
    context.fillStyle = context.strokeStyle = colour;
    context.globalAlpha = modifiers & DIM ? 0.6 : 1;
    if (!this.shape(symbol, x, y)) {
      const weight = modifiers & BOLD ? '600 ' : '', slant = modifiers & ITALIC ? 'italic ' : '';
      context.font = `${slant}${weight}${this.size * this.ratio}px ${FONT}`;
      context.textBaseline = 'middle';
      context.save();
      context.beginPath();
      context.rect(x, y, span, height);
      context.clip();
      context.fillText(symbol, x, y + height / 2 + this.ratio * 0.5);
      context.restore();
    }
    if (modifiers & UNDERLINED) context.fillRect(x, y + height - this.ratio, span, this.ratio);
    context.globalAlpha = 1;
  }

  /// Signs that must join their neighbours are drawn, not written.
  shape(sign, x, y) {
    const { context, width, height } = this;
    const code = sign.codePointAt(0);
    if (code >= 0x2800 && code <= 0x28ff) {
      const radius = Math.max(0.6, Math.min(width / 4, height / 8) * 0.62);
      BRAILLE.forEach(([across, down], bit) => {
        if (!(code >> bit & 1)) return;
        context.beginPath();
        context.arc(x + width * (0.25 + 0.5 * across), y + height * (0.125 + 0.25 * down), radius, 0, 7);
        context.fill();
      });
      return true;
    }
    if (code >= 0x2581 && code <= 0x2588) {
      const high = Math.round(height * (code - 0x2580) / 8);
      context.fillRect(x, y + height - high, width, high);
      return true;
    }
    if (code >= 0x2589 && code <= 0x258f) {
      context.fillRect(x, y, Math.round(width * (0x2590 - code) / 8), height);
      return true;
    }
    const half = { '▀': [0, 0, 1, .5], '▐': [.5, 0, .5, 1], '▖': [0, .5, .5, .5], '▗': [.5, .5, .5, .5], '▘': [0, 0, .5, .5], '▝': [.5, 0, .5, .5] }[sign];
    if (half) {
      context.fillRect(x + half[0] * width, y + half[1] * height, half[2] * width, half[3] * height);
      return true;
    }
    if (sign === '░') {
      const before = context.globalAlpha;
      context.globalAlpha = before * 0.35;
      context.fillRect(x, y, width, height);
      context.globalAlpha = before;
      return true;
    }
    return this.line(sign, x, y);
  }

  /// Box-drawing characters: from the middle to the left, right, top and bottom.
  line(sign, x, y) {
    const ways = { '─': 'lr', '│': 'tb', '╭': 'rb', '╮': 'lb', '╰': 'rt', '╯': 'lt', '┌': 'rb', '┐': 'lb', '└': 'rt', '┘': 'lt', '├': 'tbr', '┤': 'tbl', '┬': 'lrb', '┴': 'lrt', '┼': 'lrtb', '━': 'lr', '┃': 'tb', '╌': 'lr', '┈': 'lr', '╍': 'lr', '┊': 'tb' }[sign];
    if (!ways) return false;
    const { context, width, height, ratio } = this;
    const thin = Math.max(1, Math.round(ratio));
    context.lineWidth = '━┃╍'.includes(sign) ? 2 * thin : thin;
    const cx = Math.floor(x + width / 2) + thin % 2 / 2, cy = Math.floor(y + height / 2) + thin % 2 / 2;
    const ends = { l: [x, cy], r: [x + width, cy], t: [cx, y], b: [cx, y + height] };
    context.beginPath();
    if ('╌┈╍'.includes(sign)) {
      context.moveTo(x + width * 0.15, cy);
      context.lineTo(x + width * 0.7, cy);
    } else if (sign === '┊') {
      for (const part of [0.1, 0.6]) {
        context.moveTo(cx, y + height * part);
        context.lineTo(cx, y + height * (part + 0.25));
      }
    } else if ('╭╮╰╯'.includes(sign)) {
      context.moveTo(...ends[ways[0]]);
      context.quadraticCurveTo(cx, cy, ...ends[ways[1]]);
    } else {
      for (const way of ways) {
        context.moveTo(cx, cy);
        context.lineTo(...ends[way]);
      }
    }
    context.stroke();
    return true;
  }

  isSelected(at) {
    if (!this.selection) return false;
    const [from, to] = this.selection;
    return at >= Math.min(from, to) && at <= Math.max(from, to);
  }

  select(from, to) {
    this.selection = from === null ? null : [from, to];
    this.all();
  }

  /// The text of the screen, or of the selected cells.
  text(all = true) {
    let text = '';
    for (let y = 0; y < this.rows; y++) {
      let line = '', any = all;
      for (let x = 0; x < this.columns; x++) {
        const at = y * this.columns + x;
        if (all || this.isSelected(at)) {
          line += this.cells[at][0];
          any = true;
        }
      }
      if (any) text += line.trimEnd() + '\n';
    }
    return text;
  }

  /// The shapes of a drawing, where its cells are visible.
  draw({ area: [left, top], shapes, visible }) {
    const { context, width, height } = this;
    context.save();
    context.beginPath();
    for (const run of visible) {
      context.rect((left + run.column) * width, (top + run.row) * height, run.width * width, height);
    }
    context.clip();
    context.translate(left * width, top * height);
    context.lineJoin = context.lineCap = 'round';
    for (const shape of shapes) this.drawShape(shape);
    context.restore();
  }

  drawShape(shape) {
    const { context, width, height } = this;
    const place = ([x, y]) => [x * width, y * height];
    const opacity = { band: 0.35, column: 0.55 }[shape.kind] ?? 1;
    context.globalAlpha = shape.ink.opacity * opacity;
    context.fillStyle = context.strokeStyle = shape.ink.colour;
    const dashes = { dashed: [0.9, 0.7], dotted: [0.02, 0.5] }[shape.pattern] ?? [];
    context.setLineDash(dashes.map((own) => own * width));
    context.lineWidth = Math.max(this.ratio, (shape.width ?? 0.11) * width);
    context.beginPath();
    switch (shape.kind) {
      case 'line':
        for (const path of shape.paths) {
          path.forEach((point, n) => (n ? context.lineTo(...place(point)) : context.moveTo(...place(point))));
          if (path.length === 1) context.lineTo(...place(path[0]));
        }
        context.stroke();
        break;
      case 'band': {
        const there = shape.spans.map(([x, low]) => place([x, low]));
        const back = shape.spans.map(([x, , high]) => place([x, high])).reverse();
        [...there, ...back].forEach((point, n) => (n ? context.lineTo(...point) : context.moveTo(...point)));
        context.fill();
        break;
      }
      case 'column': {
        const [x, y] = place([shape.left, shape.top]);
        context.fillRect(x, y, (shape.right - shape.left) * width, (shape.bottom - shape.top) * height);
        break;
      }
      case 'level':
        context.setLineDash([0.5 * width, 0.5 * width]);
        context.moveTo(0, shape.row * height);
        context.lineTo(this.canvas.width, shape.row * height);
        context.stroke();
        break;
      case 'upright':
        context.moveTo(shape.column * width, 0);
        context.lineTo(shape.column * width, this.canvas.height);
        context.stroke();
        break;
      case 'mark':
        this.mark(shape, place(shape.at));
        break;
    }
    context.globalAlpha = 1;
  }

  /// A sign: a circle or a few lines around its middle.
  mark({ sign, radius, ring }, [x, y]) {
    const { context } = this;
    const size = radius * this.width;
    const corners = {
      triangle: [[0, -1.1], [1.05, .85], [-1.05, .85]], 'empty-triangle': [[0, -1.1], [1.05, .85], [-1.05, .85]],
      'down-triangle': [[0, 1.1], [1.05, -.85], [-1.05, -.85]],
      square: [[-.88, -.88], [.88, -.88], [.88, .88], [-.88, .88]], 'empty-square': [[-.88, -.88], [.88, -.88], [.88, .88], [-.88, .88]],
      diamond: [[0, -1.2], [1.05, 0], [0, 1.2], [-1.05, 0]],
      star: [[0, -1.15], [.27, -.37], [1.09, -.36], [.44, .14], [.68, .93], [0, .46], [-.68, .93], [-.44, .14], [-1.09, -.36], [-.27, -.37]],
    }[sign];
    context.setLineDash([]);
    context.lineWidth = Math.max(this.ratio, size * 0.45);
    context.beginPath();
    if (corners) {
      corners.forEach(([a, b], n) => (n ? context.lineTo(x + a * size, y + b * size) : context.moveTo(x + a * size, y + b * size)));
      context.closePath();
    } else if (sign === 'cross' || sign === 'plus') {
      const arms = sign === 'plus' ? [[-1, 0, 1, 0], [0, -1, 0, 1]] : [[-.8, -.8, .8, .8], [-.8, .8, .8, -.8]];
      for (const [a, b, c, d] of arms) {
        context.moveTo(x + a * size, y + b * size);
        context.lineTo(x + c * size, y + d * size);
      }
    } else {
      context.arc(x, y, size, 0, 7);
    }
    const filled = ['dot', 'triangle', 'down-triangle', 'square', 'diamond', 'star'].includes(sign);
    if (filled) context.fill();
    else context.stroke();
    if (ring) {
      context.lineWidth = this.ratio;
      context.strokeStyle = ring.colour ?? this.colours[0];
      context.stroke();
    }
  }
}

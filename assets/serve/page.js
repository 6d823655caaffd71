// The page: sends keys, mouse and touch, shows frames, and comes back after a lost
// connection. Keys have the names that recordings use.

import { Painter } from '/paint.js';

const part = (id) => document.getElementById(id);
const [canvas, keyboard, live, text, keys] = ['screen', 'keyboard', 'live', 'text', 'keys'].map(part);
const painter = new Painter(canvas);
const NAMED = {
  ' ': 'space', Enter: 'enter', Escape: 'esc', Tab: 'tab', Backspace: 'backspace', Delete: 'delete',
  Insert: 'insert', ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down',
  Home: 'home', End: 'end', PageUp: 'pageup', PageDown: 'pagedown',
};
const stored = (key, usual) => localStorage.getItem('gesf-' + key) ?? usual;
const store = (key, value) => localStorage.setItem('gesf-' + key, value);

let socket = null;
let view = '';
let hello = {};
let fontSize = Number(stored('font', 15)) || 15;
let theme = stored('theme', matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');
let wait = 300;
let selecting = false, selectFrom = null;

// ---- the way in

async function enter() {
  const token = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  const ask = (body) => fetch('/join', { method: 'POST', body });
  try {
    const answer = token ? await ask(token) : null;
    if (answer?.ok) return connect();
    if ((await ask('')).ok) return connect();
    const why = answer ? await answer.text() : 'Open the link that the server printed, or that your teacher gave you.';
    show(why.trim());
  } catch {
    show('The server cannot be reached.', enter);
  }
}

function connect() {
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
  const own = (socket = new WebSocket(`${scheme}//${location.host}/session`));
  let over = false;
  own.onopen = () => { wait = 300; };
  own.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.ended !== undefined) {
      over = true;
      show(message.ended || 'The session has ended.', connect);
    } else take(message);
  };
  own.onclose = () => {
    if (over || socket !== own) return;
    setTimeout(async () => {
      const known = await fetch('/join', { method: 'POST', body: '' }).catch(() => null);
      if (known && !known.ok) return show('This browser is not known to the server any more: open the link again.');
      show('The connection was lost. Trying again …');
      wait = Math.min(wait * 1.6, 5000);
      connect();
    }, wait);
  };
}

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

// ---- what the server sends

function take(message) {
  if (message.frame) {
    if (message.frame === 1 || shown) hide();
    painter.take(message);
    send({ ack: message.frame });
    if (message.hints) showKeys(message.hints);
    paintPage(message.colours);
    if (view === 'watching') fitWatched();
    later('text', 250, () => { text.textContent = painter.text(); });
  } else if (message.hello) {
    hello = message.hello;
    part('hand-in').hidden = !hello.class;
  } else if (message.view) {
    look(message.view);
  } else if (message.queue) {
    const [at, places] = message.queue;
    show(`All ${places} places are taken.\nYou are number ${at} in the queue; the page continues by itself.`);
  } else if (message.said) {
    say(message.said);
  } else if (message.copy !== undefined) {
    copy(message.copy);
  } else if (message.file) {
    save(...message.file);
  }
}

/// The page around the screen has its colours.
function paintPage([front, back]) {
  const root = document.documentElement;
  root.style.setProperty('--front', front);
  root.style.setProperty('--back', back);
  root.classList.toggle('light', parseInt(back.slice(3, 5), 16) > 127);
}

function look(next) {
  view = next;
  keys.hidden = view !== 'own' || stored('keys', coarse() ? 'yes' : 'no') !== 'yes';
  part('copy-screen').hidden = view !== 'watching' && view !== 'no-lecturer';
  part('copy-screen').textContent = view === 'watching' ? 'Take a copy' : 'Work alone';
  part('watch').hidden = !(hello.watch && view === 'own');
  part('state').textContent = { watching: 'Watching the lecturer', 'no-lecturer': '' }[view] ?? '';
  if (view === 'own') {
    painter.setFont(fontSize);
    send({ theme });
    sendSize(true);
  } else if (view === 'no-lecturer') show('The lecturer is not there yet. The page continues by itself.');
}

function say(sentence) {
  const line = document.createElement('p');
  line.textContent = sentence;
  live.append(line);
  while (live.childElementCount > 20) live.firstElementChild.remove();
}

let shown = '';
function show(words, again = null) {
  part('words').textContent = shown = words;
  part('again').hidden = !again;
  part('again').onclick = () => { show('…'); again(); canvas.focus(); };
  part('message').hidden = false;
  if (again) part('again').focus();
}

function hide() {
  shown = '';
  part('message').hidden = true;
  canvas.focus();
}

async function copy(value) {
  try {
    await navigator.clipboard.writeText(value);
  } catch {
    // Without TLS browsers have no clipboard for pages but this one.
    const before = document.activeElement;
    keyboard.value = value;
    keyboard.select();
    document.execCommand('copy');
    keyboard.value = '';
    before?.focus();
  }
  say('Copied.');
}

function save(name, content) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const timers = {};
function later(name, delay, act) {
  timers[name] ??= setTimeout(() => { delete timers[name]; act(); }, delay);
}

// ---- keys

function nameOf(event) {
  let name = NAMED[event.key];
  let shift = event.shiftKey;
  if (!name && /^F([1-9]|10)$/.test(event.key)) name = event.key.toLowerCase();
  if (!name && Array.from(event.key).length === 1) [name, shift] = [event.key, false];
  if (!name) return null;
  if (event.altKey && event.code.startsWith('Key')) name = event.code.slice(3).toLowerCase();
  return (event.ctrlKey ? 'ctrl-' : '') + (event.altKey ? 'alt-' : '') + (shift && name !== 'space' ? 'shift-' : '') + name;
}

function onKey(event) {
  if (event.metaKey || event.isComposing || part('name-dialog').open) return;
  // Buttons keep the keys that press and leave them; shift-esc leads there.
  const onButton = event.target instanceof HTMLButtonElement;
  if (onButton && ['Enter', ' ', 'Tab'].includes(event.key)) return;
  if (event.shiftKey && event.key === 'Escape') return part('show-keys').focus();
  const zoom = { '+': 1, '=': 1, '-': -1, 0: 0 }[event.key];
  if (event.ctrlKey && zoom !== undefined) {
    event.preventDefault();
    return setFont(zoom ? fontSize + zoom : 15);
  }
  if (event.ctrlKey && (event.shiftKey || 'cv'.includes(event.key.toLowerCase()))) return onCopyKey(event);
  // In AltGr layouts these are typed characters.
  const typed = event.getModifierState?.('AltGraph');
  const name = typed ? event.key : nameOf(event);
  if (!name || (event.target === keyboard && event.key === 'Unidentified')) return;
  event.preventDefault();
  keyboard.value = '';
  if (painter.selection) painter.select(null);
  send({ key: name });
}

function onCopyKey(event) {
  if (event.key.toLowerCase() !== 'c' || !painter.selection) return;
  event.preventDefault();
  copy(painter.text(false));
}

document.addEventListener('keydown', onKey);
keyboard.addEventListener('input', () => {
  // Keyboards of touch devices send text, not keys.
  for (const letter of keyboard.value) send({ key: NAMED[letter] ?? letter });
  keyboard.value = '';
});
document.addEventListener('paste', (event) => {
  if (part('name-dialog').open) return;
  event.preventDefault();
  send({ paste: event.clipboardData.getData('text').slice(0, 8000) });
});

function showKeys(hints) {
  keys.replaceChildren(...hints.map(([key, what]) => {
    const button = document.createElement('button');
    const name = document.createElement('b');
    name.textContent = key;
    button.type = 'button';
    button.append(name, what);
    button.onclick = () => { send({ key }); if (!coarse()) canvas.focus(); };
    return button;
  }));
}

const coarse = () => matchMedia('(pointer: coarse)').matches;

// ---- mouse and touch

function cellAt(event) {
  const box = canvas.getBoundingClientRect();
  const at = (value, cells, size) => Math.min(cells - 1, Math.max(0, Math.floor(value / size * cells)));
  return [at(event.clientX - box.left, painter.columns, box.width), at(event.clientY - box.top, painter.rows, box.height)];
}

const BUTTONS = ['left', 'middle', 'right'];
let pressed = null, last = '', moved = null;
const fingers = new Map();

function mouse(kind, event) {
  const [column, row] = cellAt(event);
  const now = [kind, column, row].join();
  if (now === last && !kind.startsWith('scroll')) return;
  last = now;
  send({ mouse: [kind, column, row] });
}

canvas.addEventListener('pointerdown', (event) => {
  if (!painter.columns) return;
  if (event.pointerType !== 'touch' || document.activeElement !== keyboard) canvas.focus();
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, event);
  if (fingers.size > 1) { pinch.from = spread(); pinch.font = fontSize; pressed = null; return; }
  if (selecting || event.shiftKey) {
    const [column, row] = cellAt(event);
    selectFrom = row * painter.columns + column;
    return painter.select(selectFrom, selectFrom);
  }
  if (painter.selection) painter.select(null);
  pressed = BUTTONS[event.button] ?? 'left';
  mouse('down-' + pressed, event);
});

canvas.addEventListener('pointermove', (event) => {
  if (!painter.columns) return;
  if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event);
  if (fingers.size > 1) return later('pinch', 80, () => setFont(Math.round(pinch.font * spread() / pinch.from)));
  if (selectFrom !== null) {
    const [column, row] = cellAt(event);
    return painter.select(selectFrom, row * painter.columns + column);
  }
  moved = event;
  // A frame has room for one movement.
  later('move', 33, () => mouse(pressed ? 'drag-' + pressed : 'moved', moved));
});

function release(event) {
  fingers.delete(event.pointerId);
  if (selectFrom !== null) {
    selectFrom = null;
    const chosen = painter.text(false);
    if (chosen.trim()) copy(chosen);
    return setSelecting(false);
  }
  if (pressed) mouse('up-' + pressed, event);
  pressed = null;
}
canvas.addEventListener('pointerup', release);
canvas.addEventListener('pointercancel', release);
canvas.addEventListener('contextmenu', (event) => event.preventDefault());
canvas.addEventListener('wheel', (event) => {
  event.preventDefault();
  if (event.ctrlKey) return later('zoom', 60, () => setFont(fontSize + (event.deltaY < 0 ? 1 : -1)));
  later('wheel', 40, () => mouse(event.deltaY < 0 ? 'scroll-up' : 'scroll-down', event));
}, { passive: false });

const pinch = { from: 1, font: 15 };
function spread() {
  const [one, other] = [...fingers.values()];
  return Math.max(20, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY));
}

// ---- size, theme, tools

let told = '';
function sendSize(again = false) {
  const box = part('stage').getBoundingClientRect();
  const size = painter.fit(box.width, box.height);
  if (view !== 'own' || (!again && told === size.join())) return;
  told = size.join();
  send({ size });
}

/// A watched screen has the size of the lecturer's: the letters shrink or grow.
function fitWatched() {
  const box = part('stage').getBoundingClientRect();
  for (let size = 26; size >= 6; size--) {
    painter.setFont(size);
    const [columns, rows] = painter.fit(box.width, box.height);
    if (columns >= painter.columns && rows >= painter.rows) break;
  }
  if (canvas.width !== painter.columns * painter.width || canvas.height !== painter.rows * painter.height) {
    painter.lay();
    painter.all();
  }
}

function setFont(size) {
  fontSize = Math.min(40, Math.max(7, size || 15));
  store('font', fontSize);
  if (view === 'watching') return;
  painter.setFont(fontSize);
  painter.lay();
  painter.all();
  sendSize();
}

function setTheme(next) {
  theme = next;
  part('theme').textContent = theme === 'light' ? 'Dark' : 'Light';
  send({ theme });
}

function setSelecting(on) {
  selecting = on;
  canvas.classList.toggle('selecting', on);
  part('select').setAttribute('aria-pressed', on);
}

function setKeys(on) {
  keys.hidden = !on;
  part('show-keys').setAttribute('aria-pressed', on);
  store('keys', on ? 'yes' : 'no');
  sendSize();
}

part('larger').onclick = () => setFont(fontSize + 1);
part('smaller').onclick = () => setFont(fontSize - 1);
part('theme').onclick = () => { setTheme(theme === 'light' ? 'dark' : 'light'); store('theme', theme); };
part('select').onclick = () => setSelecting(!selecting);
part('type').onclick = () => keyboard.focus();
part('show-keys').onclick = () => setKeys(keys.hidden);
part('copy-screen').onclick = () => send('take-copy');
part('watch').onclick = () => send('watch');
part('hand-in').onclick = () => part('name-dialog').showModal();
part('name-dialog').onclose = () => {
  if (part('name-dialog').returnValue === 'ok') send({ 'hand-in': part('name').value });
  canvas.focus();
};
new ResizeObserver(() => later('size', 120, () => (view === 'watching' ? fitWatched() : sendSize()))).observe(part('stage'));
matchMedia('(prefers-color-scheme: light)').onchange = ({ matches }) => {
  if (!localStorage.getItem('gesf-theme')) setTheme(matches ? 'light' : 'dark');
};

setKeys(stored('keys', coarse() ? 'yes' : 'no') === 'yes');
setTheme(theme);
enter();

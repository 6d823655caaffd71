// The page in a real browser: trains cora, changes λ, opens a node, finishes a lesson
// step, watches a lecturer, copies, downloads, and outlives the server. Loopback only.
//
//   npm install --prefix /tmp/browser playwright-core
//   NODE_PATH=/tmp/browser/node_modules node tests/browser/serve.cjs PROGRAM [PICTURES]
//
// CHROMIUM selects another browser than /usr/bin/chromium.

const { spawn } = require('node:child_process');
const { mkdtempSync, readdirSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { createServer } = require('node:net');
const { join } = require('node:path');
const assert = require('node:assert');
const { chromium } = require('playwright-core');

const [program, pictures] = process.argv.slice(2);
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/// A port that is free now.
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function start(home, port, words) {
  const env = { ...process.env, GESF_CACHE_DIR: home, GESF_CONFIG_DIR: home, GESF_DATA_DIR: home };
  const child = spawn(program, ['serve', '--bind', `127.0.0.1:${port}`, ...words], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const links = [];
  await new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    let text = '';
    child.stdout.on('data', (part) => {
      text += part;
      links.splice(0, links.length, ...(text.match(/http:\S+/g) ?? []));
      if (links.length === 2 && text.endsWith('\n')) resolve();
    });
  });
  return { child, links };
}

const shown = (page) => page.locator('#text').textContent();

async function see(page, what, timeout = 60_000) {
  try {
    await page.waitForFunction((what) => new RegExp(what).test(document.getElementById('text').textContent), what, { timeout });
  } catch {
    throw new Error(`not seen: ${what}\n${await shown(page)}`);
  }
}

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

async function picture(page, name) {
  if (pictures) await page.screenshot({ path: join(pictures, name) });
}

async function open(browser, link, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1180, height: 720 }, colorScheme: 'dark', ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.hostname !== '127.0.0.1' && url.protocol !== 'blob:') complaints.push(`asked for ${url}`);
  });
  await page.goto(link);
  page.complaints = complaints;
  return page;
}

async function main() {
  const home = mkdtempSync(join(tmpdir(), 'gesf-browser-'));
  const hand_ins = join(home, 'hand-ins');
  const [port, words] = [await freePort(), ['--watch', '--class', hand_ins]];
  let { child, links } = await start(home, port, words);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  try {
    const lecturer = await open(browser, links[0]);
    await see(lecturer, 'built-in sample');
    assert(!lecturer.url().includes('#'), 'the token is not left in the address');
    await lecturer.keyboard.type('cora');
    await press(lecturer, 'Enter');
    await see(lecturer, 'epoch [1-9]');
    await press(lecturer, 't');
    await see(lecturer, 'epoch \\d{2,}');
    // λ by its name in the palette.
    await press(lecturer, ':');
    await lecturer.keyboard.type('balance 3');
    await press(lecturer, 'Enter');
    await see(lecturer, '10→3');
    await see(lecturer, 'epoch \\d{3,}');
    await picture(lecturer, 'serve-train.png');
    await press(lecturer, 'f');
    await see(lecturer, 'pass');
    await lecturer.waitForTimeout(500);
    await picture(lecturer, 'serve-filter.png');
    await press(lecturer, 'v');
    await see(lecturer, 'contribut');
    await press(lecturer, 'ArrowDown', 'ArrowDown', 'Enter');
    await lecturer.waitForTimeout(1500);
    await picture(lecturer, 'serve-node.png');
    await press(lecturer, 'm');
    await lecturer.waitForTimeout(3000);
    await picture(lecturer, 'serve-map.png');

    // A visitor on a phone watches, then takes a copy.
    const visitor = await open(browser, links[1], { viewport: { width: 820, height: 560 }, colorScheme: 'light', hasTouch: true });
    await see(visitor, 'Map');
    assert.equal(await visitor.locator('#state').textContent(), 'Watching the lecturer');
    const [one, other] = [await shown(lecturer), await shown(visitor)];
    assert.equal(one.split('\n')[0].slice(0, 20), other.split('\n')[0].slice(0, 20));
    await visitor.waitForTimeout(500);
    await picture(visitor, 'serve-watch.png');
    await visitor.locator('#copy-screen').click();
    await visitor.waitForFunction(() => document.getElementById('state').textContent === '');
    await see(visitor, 'epoch \\d+');

    // A lesson step: the buttons of the key row are enough.
    await press(visitor, 'F8');
    await see(visitor, 'Shuffle the neighbours');
    await press(visitor, 'ArrowDown', 'Enter');
    await see(visitor, 'How many of the four');
    // Until the graph of the lesson is loaded, keys are no answers.
    for (let tries = 0; !/your answer/.test(await shown(visitor)) && tries < 20; tries++) {
      await press(visitor, '1');
      await visitor.waitForTimeout(700);
    }
    await press(visitor, 'Enter');
    for (let n = 0; n < 5; n++) await visitor.locator('#keys button', { hasText: 'shuffle' }).first().click();
    await see(visitor, 'Only the set function');
    await visitor.waitForTimeout(500);
    await picture(visitor, 'serve-lesson.png');
    await visitor.locator('#hand-in').click();
    await visitor.locator('#name').fill('Ada');
    await visitor.locator('#name-ok').click();
    await see(visitor, 'handed in');
    const file = readdirSync(hand_ins)[0];
    assert(readFileSync(join(hand_ins, file), 'utf8').includes('Ada'));
    const said = await visitor.locator('#live').textContent();
    assert(said.includes('handed in'), said);

    // Selected text goes to the clipboard, a screenshot to the downloads.
    await visitor.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await visitor.keyboard.down('Shift');
    await visitor.mouse.move(12, 8);
    await visitor.mouse.down();
    await visitor.mouse.move(400, 8, { steps: 4 });
    await visitor.mouse.up();
    await visitor.keyboard.up('Shift');
    await visitor.waitForTimeout(200);
    const copied = await visitor.evaluate(() => navigator.clipboard.readText());
    assert(copied.includes("karate club"), copied);
    const download = visitor.waitForEvent('download');
    await press(visitor, 'Control+s');
    await see(visitor, 'picture file');
    await press(visitor, 'Enter');
    assert((await download).suggestedFilename().endsWith('.svg'));
    for (const page of [lecturer, visitor]) assert.deepEqual(page.complaints, []);

    // The server is killed and started again: both pages come back by themselves.
    child.removeAllListeners('exit');
    child.kill('SIGKILL');
    const message = (page, hidden) =>
      page.waitForFunction((hidden) => document.getElementById('message').hidden === hidden, hidden, { timeout: 60_000 });
    await Promise.all([message(lecturer, false), message(visitor, false)]);
    ({ child } = await start(home, port, words));
    await message(lecturer, true);
    await see(lecturer, 'Cora');
    await see(lecturer, '\\[Map\\]');
    await see(lecturer, 'epoch \\d{2,}');
    await message(visitor, true);
    await see(visitor, 'Shuffle the neighbours');
    console.log('the browser did everything');
  } finally {
    await browser.close();
    child.removeAllListeners('exit');
    child.kill('SIGTERM');
    await new Promise((resolve) => child.on('exit', resolve));
    rmSync(home, { recursive: true, force: true });
  }
}

main().catch((error) => { console.error(error); process.exitCode = 1; });

// What makes a page of its data: unpacks the libraries, draws plots and heat maps, and gives each a table, a download and, where
// there is a replay, a cursor in time. Text and tables of the page itself are HTML already.
'use strict';
const tread = {
  custom: {},  // kind -> function(element, data, tread), by the scripts of custom sections
  data: JSON.parse(document.getElementById('data').textContent),
  plots: [],  // {item, holder, axis}
  errors: [],
};

(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const kTableRows = 200, kUnifiedLines = 14;  // rows shown; more lines are not listed all at once on hover
  tread.dark = dark;

  // ---- data

  const decoded = new Map();
  const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
  // An array of an item: given as numbers, or as the index of a base64 text of float32 values.
  tread.array = ref => {
    if (typeof ref !== 'number') return ref || [];
    if (!decoded.has(ref)) decoded.set(ref, new Float32Array(bytes(tread.data.arrays[ref]).buffer));
    return decoded.get(ref);
  };

  async function library(id) {
    const holder = document.getElementById(id);
    if (!holder) return;
    const stream = new Blob([bytes(holder.textContent.trim())]).stream().pipeThrough(new DecompressionStream('gzip'));
    const script = document.createElement('script');
    script.textContent = await new Response(stream).text();
    document.head.append(script);
    holder.remove();
  }

  function make(tag, parent, attributes = {}, text = '') {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    parent.append(element);
    return element;
  }
  tread.make = make;

  tread.save = (name, text, type = 'text/csv') => {
    const link = make('a', document.body, {download: name, href: URL.createObjectURL(new Blob([text], {type}))});
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  const title = axis => axis.unit ? `${axis.label} [${axis.unit}]` : axis.label;
  const number = v => v === null || v === undefined || Number.isNaN(v) ? '' :
      typeof v === 'number' ? String(Number(v.toPrecision(7))) : String(v);
  const short = v => v === null || v === undefined || Number.isNaN(v) ? '' : String(Number(v.toPrecision(5)));
  const quote = text => /[",\n]/.test(text) ? `"${String(text).replaceAll('"', '""')}"` : text;

  // Columns and rows of the numbers behind an item.
  function numbers(item) {
    if (item.kind === 'heatmap')
      return {columns: [`${title(item.y)} \\ ${title(item.x)}`, ...item.columns],
              rows: item.rows.map((name, i) => [name, ...item.values[i]])};
    const lines = item.lines.map(l => ({...l, x: tread.array(l.x), y: tread.array(l.y), low: tread.array(l.low), high: tread.array(l.high)}));
    const same = lines.every(l => l.x === lines[0].x ||
        (l.x.length === lines[0].x.length && l.x.every((v, i) => v === lines[0].x[i])));
    const names = item.y.names || [];
    const value = v => names.length && names[v] !== undefined ? names[v] : v;
    if (same && lines.length) {
      const parts = lines.flatMap(l => [[l.name, l.y], ...(l.low.length ? [[l.name + ' low', l.low], [l.name + ' high', l.high]] : [])]);
      const unit = item.y.unit ? ` [${item.y.unit}]` : '';
      return {columns: [title(item.x), ...parts.map(p => p[0] + unit)],
              rows: Array.from(lines[0].x, (x, i) => [x, ...parts.map(p => p[1][i])])};
    }
    const band = lines.some(l => l.low.length), notes = lines.some(l => l.notes);
    return {columns: ['line', title(item.x), title(item.y), ...(band ? ['low', 'high'] : []), ...(notes ? ['note'] : [])],
            rows: lines.flatMap(l => Array.from(l.x, (x, i) => [l.name, x, value(l.y[i]), ...(band ? [l.low[i], l.high[i]] : []),
                                                                ...(notes ? [l.notes ? l.notes[i] : ''] : [])]))};
  }

  // ---- drawing

  const colors = () => dark.matches ?
      ['#62b0ff', '#ff9d5c', '#4fd1a5', '#f29ad0', '#e6cf5a', '#b79cf7', '#8fd6f2', '#f07a7a', '#b5bcc6', '#a3d977', '#d6a77a', '#7fa8c9'] :
      ['#0b62b0', '#c8500a', '#00795a', '#b0418a', '#8a7300', '#6a4bc4', '#2b8cb3', '#b3261e', '#5f6873', '#4d7c1f', '#8a5a2b', '#33566f'];
  const fade = (hex, alpha) => `rgba(${[1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16)).join(',')},${alpha})`;

  function lineTraces(item) {
    const palette = colors(), unit = item.y.unit ? ' ' + item.y.unit : '';
    const xunit = item.x.unit ? ' ' + item.x.unit : '';
    const many = item.lines.length > kUnifiedLines || !item.lines.every(l => l.style === 'line' || l.style === 'steps');
    const traces = [];
    item.lines.forEach((line, i) => {
      const color = palette[i % palette.length], x = tread.array(line.x), group = `g${i}`;
      const shape = line.style === 'steps' ? 'hv' : 'linear';
      if (line.low !== undefined) {
        const edge = {x, type: 'scatter', mode: 'lines', line: {width: 0, shape}, hoverinfo: 'skip', showlegend: false, legendgroup: group};
        traces.push({...edge, y: tread.array(line.low)}, {...edge, y: tread.array(line.high), fill: 'tonexty', fillcolor: fade(color, 0.22)});
      }
      const names = item.y.names;
      const hover = (names ? '' : `%{y:.5~g}${unit}`) + (line.notes ? '<br>%{text}' : '');
      traces.push({
        x, y: tread.array(line.y), name: line.name, type: 'scatter', legendgroup: group, text: line.notes, connectgaps: false,
        mode: {markers: 'markers', both: 'lines+markers'}[line.style] || 'lines',
        line: {width: line.width, color, shape, dash: i >= palette.length ? 'dot' : 'solid'},
        marker: {size: x.length > 100 ? 4 : 7, color, symbol: ['circle', 'square', 'diamond', 'cross', 'triangle-up', 'x'][i % 6]},
        hovertemplate: many ? `${title(item.x)}: %{x:.6~g}${xunit}<br>${hover}<extra>${line.name}</extra>` : hover,
      });
    });
    return {traces, many};
  }

  // Spacing of a logarithmic axis' marks: decades, 1-2-5, or what the library finds for less than that.
  function marks(arrays) {
    let low = Infinity, high = 0;
    for (const array of arrays) for (const v of array) if (v > 0) [low, high] = [Math.min(low, v), Math.max(high, v)];
    const decades = Math.log10(high / low);
    return decades > 14 ? undefined : decades > 2 ? 1 : decades > 0.7 ? 'D2' : undefined;
  }

  function layout(item, many) {
    const style = getComputedStyle(document.documentElement), color = name => style.getPropertyValue(name).trim();
    const axis = (a, log, key) => ({
      title: {text: title(a), standoff: 6}, type: log ? 'log' : 'linear', automargin: true, gridcolor: color('--rule'),
      zerolinecolor: color('--faint'), zeroline: !log && !a.names, linecolor: color('--rule'),
      ...(log ? {exponentformat: 'power', dtick: marks((item.lines || []).map(l => tread.array(l[key])))} : {}),
      ...(a.names ? {tickmode: 'array', tickvals: a.names.map((_, i) => i), ticktext: a.names, range: [-0.5, a.names.length - 0.5]} : {}),
    });
    return {
      paper_bgcolor: 'rgba(0,0,0,0)', plot_bgcolor: 'rgba(0,0,0,0)', font: {color: color('--ink'), size: 12.5},
      margin: {l: 60, r: 44, t: 8, b: 40}, height: item.height || 340, hovermode: many ? 'closest' : 'x unified',
      hoverlabel: {bgcolor: color('--raised'), bordercolor: color('--rule'), font: {color: color('--ink')}, namelength: -1},
      legend: {orientation: 'h', y: 1.01, yanchor: 'bottom', x: 0, font: {size: 12}}, showlegend: item.kind === 'lines' && item.lines.length > 1,
      modebar: {bgcolor: 'rgba(0,0,0,0)', color: color('--faint'), activecolor: color('--accent'), orientation: 'v'},
      xaxis: axis(item.x, item.x.log, 'x'), yaxis: axis(item.y, item.ylog, 'y'), uirevision: item.ylog,
    };
  }

  function figure(item) {
    if (item.kind === 'lines') {
      const {traces, many} = lineTraces(item);
      return {traces, layout: layout(item, many)};
    }
    const at = layout(item, true), unit = item.unit ? ' ' + item.unit : '';
    at.xaxis.type = at.yaxis.type = 'category';
    at.yaxis.autorange = 'reversed';
    at.height = Math.max(300, 90 + 34 * item.rows.length);
    const few = item.rows.length * item.columns.length <= 400;
    return {layout: at, traces: [{
      type: 'heatmap', x: item.columns, y: item.rows, z: item.values, colorscale: 'Viridis', hoverongaps: false,
      texttemplate: few ? '%{z:.3~g}' : undefined, xgap: 1, ygap: 1, colorbar: {title: {text: item.unit}, thickness: 14, xpad: 30},
      hovertemplate: `${title(item.y)}: %{y}<br>${title(item.x)}: %{x}<br>%{z:.5~g}${unit}<extra></extra>`}]};
  }

  const options = {  // by name: the default set has one that sends the data elsewhere
    responsive: true, displaylogo: false, displayModeBar: true,
    modeBarButtons: [['zoom2d', 'pan2d'], ['zoomIn2d', 'zoomOut2d', 'resetScale2d'], ['toImage']],
  };

  function draw(plot) {
    const {traces, layout: look} = figure(plot.item);
    return Plotly.react(plot.canvas, traces, look, options);
  }

  // ---- a figure

  function table(item, parent) {
    const {columns, rows} = numbers(item), step = Math.ceil(rows.length / kTableRows) || 1;
    const box = make('div', parent, {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Numbers of ${item.title}`});
    if (step > 1) make('p', box, {class: 'note'}, `Every ${step}th of ${rows.length} rows; the download has all that is drawn.`);
    const sheet = make('table', box), head = make('tr', make('thead', sheet)), body = make('tbody', sheet);
    for (const name of columns) make('th', head, {scope: 'col'}, name);
    for (let i = 0; i < rows.length; i += step) {
      const row = make('tr', body);
      rows[i].forEach((v, j) => make(j ? 'td' : 'th', row, j ? {} : {scope: 'row'}, typeof v === 'string' ? v : short(v)));
    }
    return box;
  }

  function csv(item) {
    const {columns, rows} = numbers(item);
    return [columns, ...rows].map(row => row.map(v => quote(number(v))).join(',')).join('\n') + '\n';
  }
  tread.csv = csv;

  function buttons(plot) {
    const {item, holder} = plot, bar = make('div', holder, {class: 'bar'});
    const switched = make('button', bar, {type: 'button', 'aria-expanded': 'false'}, 'Table');
    let shown = null;
    switched.onclick = () => {
      if (shown) shown.remove();
      shown = shown ? null : table(item, holder);
      switched.setAttribute('aria-expanded', String(shown !== null));
    };
    const file = (item.title || 'data').toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '') + '.csv';
    make('button', bar, {type: 'button', 'aria-label': `Download the data of ${item.title}`}, 'Data (CSV)').onclick =
        () => tread.save(file, csv(item));
    if (item.kind !== 'lines' || item.y.names) return;
    const log = make('button', bar, {type: 'button', 'aria-pressed': String(item.ylog)}, 'Log scale');
    log.onclick = () => {
      item.ylog = !item.ylog;
      log.setAttribute('aria-pressed', String(item.ylog));
      draw(plot);
    };
  }

  function start(item, index) {
    const holder = document.getElementById(`figure-${index}`);
    item.ylog = item.y && item.y.log;
    const canvas = make('div', holder, {class: 'canvas', role: 'img', 'aria-label': `${item.title}. ${item.note || ''} The button Table below gives the numbers.`});
    const plot = {item, holder, canvas, cursor: null};
    if (item.x.unit === 's') plot.cursor = make('div', canvas, {class: 'cursor'});
    buttons(plot);
    tread.plots.push(plot);
    return draw(plot).then(() => { if (plot.cursor) canvas.append(plot.cursor); });
  }

  // The moment a replay shows, in all plots over time.
  tread.setTime = t => {
    tread.time = t;
    for (const {canvas, cursor} of tread.plots) {
      const look = canvas._fullLayout;
      if (!cursor || !look || !look.xaxis) continue;
      const {xaxis, yaxis} = look, at = xaxis.d2p(t);
      const inside = at >= 0 && at <= xaxis._length;
      cursor.style.display = inside ? 'block' : 'none';
      if (inside) Object.assign(cursor.style, {left: `${xaxis._offset + at}px`, top: `${yaxis._offset}px`, height: `${yaxis._length}px`});
    }
  };

  const pause = () => new Promise(done => setTimeout(done, 0));
  const fail = (holder, error) => {
    tread.errors.push(String(error));
    make('p', holder, {class: 'error', role: 'alert'}, `This could not be drawn: ${error}`);
    console.error(error);
  };

  async function main() {
    document.querySelectorAll('button[data-download]').forEach(b => {
      const file = tread.data.downloads[Number(b.dataset.download)];
      b.onclick = () => tread.save(file.name, file.content, 'text/plain');
    });
    if (typeof DecompressionStream === 'undefined')
      throw new Error('this browser is too old: it needs DecompressionStream (Chrome 80, Firefox 113, Safari 16.4)');
    await library('meshcat');
    const custom = [], drawn = [];
    tread.data.items.forEach((item, i) => (item.kind === 'custom' ? custom : drawn).push([item, i]));
    for (const [item, i] of custom) {
      const holder = document.getElementById(`figure-${i}`);
      try {
        await tread.custom[item.script](holder, item.data, tread);
      } catch (error) {
        fail(holder, error);
      }
    }
    await library('plotly');
    for (const [item, i] of drawn) {
      try {
        await start(item, i);
      } catch (error) {
        fail(document.getElementById(`figure-${i}`), error);
      }
      await pause();
    }
    dark.addEventListener('change', () => tread.plots.forEach(draw));
    if (tread.time !== undefined) tread.setTime(tread.time);
    document.documentElement.dataset.drawn = String(tread.plots.length);
  }
  addEventListener('DOMContentLoaded', () => main().catch(error => fail(document.querySelector('main'), error)));
})();

// The 3-D section: robot, free bodies, ground and contact forces of a run, moved by a slider or by the clock.
'use strict';
tread.custom.replay = (holder, data, page) => {
  const {THREE, Viewer} = MeshCat, {make} = page;
  const stage = make('div', holder, {class: 'stage', role: 'img', tabindex: '-1',
                                     'aria-label': '3-D view of the run; drag turns, right drag moves, the wheel zooms.'});
  const probe = document.createElement('canvas');
  if (!(probe.getContext('webgl2') || probe.getContext('webgl'))) {
    stage.remove();
    make('p', holder, {class: 'note'}, 'This browser has no WebGL, which the 3-D view needs; the plots below do not.');
    return;
  }
  const times = page.array(data.times), bodies = data.bodies.map(page.array), frames = data.frames;
  const forces = data.forces.map(f => page.array(f.values));

  // ---- the scene (z up; meshcat turns it for three.js, whose cameras have y up)

  const viewer = new Viewer(stage, true);
  viewer.gui.domElement.remove();
  const resize = viewer.set_3d_pane_size.bind(viewer);
  viewer.set_3d_pane_size = () => resize(stage.clientWidth, stage.clientHeight);
  for (const path of [['Grid'], ['Axes'], ['Lights', 'PointLightNegativeX'], ['Lights', 'PointLightPositiveX']])
    viewer.set_property(path, 'visible', false);
  viewer.hide_background();
  const sun = new THREE.DirectionalLight(0xffffff, 0.55);
  sun.position.set(2, -3, 5);
  viewer.scene.add(sun);

  const shapes = [0x4f9be8, 0xe0813c, 0x35ad84, 0xcf6db4, 0xb7a02c, 0x8d75d8, 0x46a8cf, 0xd35b5b];
  const color = g => !(data.robot && g.system === 0) ? shapes[g.system % shapes.length] :
      {box: 0x9aa5b4, capsule: 0x6c7888, sphere: 0xe0813c}[g.type];
  function solid(g) {
    const material = new THREE.MeshLambertMaterial({color: color(g)}), [a, b, c] = g.size, group = new THREE.Group();
    const add = (geometry, z = 0, turn = 0) => {
      const mesh = new THREE.Mesh(geometry, material);
      mesh.position.z = z;
      mesh.rotation.x = turn;
      group.add(mesh);
    };
    if (g.type === 'box') add(new THREE.BoxGeometry(2 * a, 2 * b, 2 * c));
    if (g.type === 'sphere') add(new THREE.SphereGeometry(a, 20, 14));
    if (g.type === 'capsule') {
      add(new THREE.CylinderGeometry(a, a, 2 * b, 16, 1, true), 0, Math.PI / 2);
      for (const end of [-b, b]) add(new THREE.SphereGeometry(a, 16, 10), end);
    }
    if (g.type !== 'capsule') group.add(new THREE.LineSegments(
        new THREE.EdgesGeometry(group.children[0].geometry, 30), new THREE.LineBasicMaterial({color: 0x20262e, transparent: true, opacity: 0.5})));
    group.position.set(...g.p);
    group.quaternion.set(...g.q);
    return group;
  }
  const movers = bodies.map(() => {
    const group = new THREE.Group();
    viewer.scene.add(group);
    return group;
  });
  data.geometries.forEach(g => movers[g.body].add(solid(g)));

  // ground: coloured by height, with lines every quarter of a metre that show the motion over it
  function ground({x, y, spacing, nx, ny, heights}) {
    const z = page.array(heights), points = new Float32Array(3 * nx * ny), shade = new Float32Array(3 * nx * ny), faces = [];
    const low = z.reduce((a, b) => Math.min(a, b)), range = Math.max(0.02, z.reduce((a, b) => Math.max(a, b)) - low);
    const bottom = new THREE.Color(0x5d7183), top = new THREE.Color(0xd9d2bd), level = z.every(v => v === low);
    const set = k => points.set([x + (k % nx) * spacing, y + Math.floor(k / nx) * spacing, z[k]], 3 * k);
    for (let k = 0; k < nx * ny; ++k) {
      set(k);
      const c = bottom.clone().lerp(top, level ? 0.55 : (z[k] - low) / range);
      shade.set([c.r, c.g, c.b], 3 * k);
      if (k % nx + 1 < nx && k + nx < nx * ny) faces.push(k, k + 1, k + nx, k + 1, k + nx + 1, k + nx);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(points, 3));
    geometry.setAttribute('color', new THREE.BufferAttribute(shade, 3));
    geometry.setIndex(faces);
    geometry.computeVertexNormals();
    viewer.scene.add(new THREE.Mesh(geometry, new THREE.MeshLambertMaterial(
        {vertexColors: true, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1})));
    const lines = [], every = Math.max(1, Math.round(0.25 / spacing));
    const segment = (a, b) => { for (const k of [a, b]) lines.push(points[3 * k], points[3 * k + 1], points[3 * k + 2]); };
    for (let j = 0; j < ny; ++j) {
      for (let i = 0; i < nx; ++i) {
        const k = j * nx + i;
        if (j % every === 0 && i + 1 < nx) segment(k, k + 1);
        if (i % every === 0 && j + 1 < ny) segment(k, k + nx);
      }
    }
    const net = new THREE.BufferGeometry();
    net.setAttribute('position', new THREE.Float32BufferAttribute(lines, 3));
    viewer.scene.add(new THREE.LineSegments(net, new THREE.LineBasicMaterial({color: 0x2b3440, transparent: true, opacity: 0.35})));
  }
  if (data.ground) ground(data.ground);

  // forces: an arrow as long as the robot is high where one foot carries all of the weight
  const reach = Math.max(0.1, 1.1 * (bodies[0][2] || 0.3)) / data.weight, up = new THREE.Vector3(0, 1, 0);
  const arrows = forces.map(() => {
    const group = new THREE.Group(), material = new THREE.MeshLambertMaterial({color: 0x1f6fe0, emissive: 0x0a3a80});
    const thick = 0.012 * reach * data.weight + 0.002;
    group.shaft = new THREE.Mesh(new THREE.CylinderGeometry(thick, thick, 1, 10), material);
    group.tip = new THREE.Mesh(new THREE.ConeGeometry(2.6 * thick, 7 * thick, 14), material);
    group.head = 7 * thick;
    group.add(group.shaft, group.tip);
    viewer.scene.add(group);
    return group;
  });
  function point(arrow, values, k) {
    const force = new THREE.Vector3(values[k + 3], values[k + 4], values[k + 5]), length = reach * force.length();
    arrow.visible = shown.forces.checked && length > 0.02 * reach * data.weight;
    if (!arrow.visible) return;
    arrow.position.set(values[k], values[k + 1], values[k + 2]);
    arrow.quaternion.setFromUnitVectors(up, force.normalize());
    const shaft = Math.max(1e-4, length - arrow.head);
    arrow.shaft.scale.y = shaft;
    arrow.shaft.position.y = shaft / 2;
    arrow.tip.position.y = shaft + arrow.head / 2;
  }

  // ---- controls

  const bar = make('div', holder, {class: 'bar'});
  const play = make('button', bar, {type: 'button'}, 'Play');
  const slider = make('input', bar, {type: 'range', min: '0', max: String(frames - 1), step: '1', value: '0', 'aria-label': 'Time of the replay'});
  const clock = make('output', bar);
  const choice = (text, checked) => {
    const label = make('label', bar), box = make('input', label, {type: 'checkbox'});
    box.checked = checked;
    label.append(' ' + text);
    box.onchange = () => show(frame);
    return box;
  };
  const speedLabel = make('label', bar, {}, 'Speed ');
  const speed = make('select', speedLabel, {'aria-label': 'Speed of the replay'});
  for (const s of [0.1, 0.25, 0.5, 1, 2, 4]) make('option', speed, {value: String(s)}, `${s}x`);
  speed.value = '1';
  const shown = {follow: choice(data.robot ? 'Follow the base' : 'Follow the first body', data.robot),
                 forces: forces.length ? choice('Forces', true) : {checked: false}};

  // ---- motion

  const at = k => new THREE.Vector3(bodies[0][7 * k], bodies[0][7 * k + 2], -bodies[0][7 * k + 1]);  // y up
  let frame = 0, followed = null, playing = false, start = 0, from = 0;

  function show(k) {
    frame = Math.min(frames - 1, Math.max(0, k));
    movers.forEach((mover, b) => {
      const v = bodies[b], i = 7 * frame;
      mover.visible = Number.isFinite(v[i]);
      mover.position.set(v[i], v[i + 1], v[i + 2]);
      mover.quaternion.set(v[i + 3], v[i + 4], v[i + 5], v[i + 6]);
    });
    arrows.forEach((arrow, f) => point(arrow, forces[f], 6 * frame));
    const place = at(frame);
    if (shown.follow.checked && followed && Number.isFinite(place.x)) {
      const shift = place.clone().sub(followed).setY(0);
      viewer.camera.position.add(shift);
      viewer.controls.target.add(shift);
    }
    followed = Number.isFinite(place.x) ? place : followed;
    slider.value = String(frame);
    clock.textContent = `${times[frame].toFixed(2)} s of ${times[frames - 1].toFixed(2)} s`;
    slider.setAttribute('aria-valuetext', clock.textContent);
    page.setTime(times[frame]);
    viewer.set_dirty();
  }

  function begin(now) {
    [start, from] = [now, times[frame]];
  }
  function tick(now) {
    if (!playing) return;
    const t = from + (now - start) / 1000 * Number(speed.value);
    let k = frame;
    while (k + 1 < frames && times[k + 1] <= t) ++k;
    if (k !== frame) show(k);
    if (frame === frames - 1) return pause();
    requestAnimationFrame(tick);
  }
  function pause() {
    playing = false;
    play.textContent = 'Play';
  }
  play.onclick = () => {
    if (playing) return pause();
    if (frame === frames - 1) show(0);
    playing = true;
    play.textContent = 'Pause';
    begin(performance.now());
    requestAnimationFrame(tick);
  };
  slider.oninput = () => {
    show(Number(slider.value));
    begin(performance.now());
  };
  speed.onchange = () => begin(performance.now());

  // the camera sees all that moves at the beginning, from the side and a little above
  const box = new THREE.Box3();
  movers.forEach((mover, b) => {
    const first = new THREE.Vector3(bodies[b][0], bodies[b][2], -bodies[b][1]);
    if (Number.isFinite(first.x)) box.expandByPoint(first);
  });
  const center = box.getCenter(new THREE.Vector3()), size = Math.max(0.35, box.getSize(new THREE.Vector3()).length());
  viewer.camera.fov = 40;
  viewer.controls.target.copy(center).setY(data.robot ? 0.7 * center.y : center.y / 2);
  viewer.camera.position.copy(viewer.controls.target).add(new THREE.Vector3(0.35, 0.45, 1).multiplyScalar(1.9 * size));
  viewer.set_3d_pane_size();
  show(0);
  page.replay = {show, frames, viewer, movers, arrows, frame: () => frame};
};

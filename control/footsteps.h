// Where a swinging foot should land (Raibert), in heading axes about the base.
//
//   p_rel = T_stance/2 v + k_fb (v - v_ref) + 1/2 sqrt(h/g) (v x w_ref),   |x|, |y| <= reach
//   p     = Rz(w_ref t) (p_rel + p_shoulder) + d(t)
//
// v: measured velocity averaged over one gait period (the instantaneous one makes footholds jitter); v_ref, w_ref: commanded; t: time until touch-down;
// d: what the commanded twist moves the base until then; p_shoulder: the foot at home. Height: the ground's where it may be asked, else the given one.
// Breaks: no look at what the foothold is like (edges, slopes), none at legs crossing beyond the clamp.
// Reference: Raibert 1986; Leziart et al. 2021.
#pragma once

#include <Eigen/Core>

namespace tread {

struct FootstepConfig {
  double feedback = 0.03;  // [s] k_fb
  double averaging = 1.0;  // share of the averaged against the present velocity in v, 0 to 1
  double reach = 0.155;    // [m] largest deviation from below the shoulder
};

// Displacement of the base under a constant twist (vx, vy, w) in its starting axes.
Eigen::Vector2d TwistDisplacement(const Eigen::Vector3d& twist, double t);

struct FootstepQuery {
  Eigen::Vector2d shoulder;      // foot at home, heading axes, from the base
  Eigen::Vector2d velocity;      // averaged, heading axes
  Eigen::Vector3d command;       // vx, vy, wz
  double time_to_touchdown = 0;  // [s]
  double stance_duration = 0;    // [s]
  double height = 0;             // of the base above its feet [m]
};

// In heading axes from the base's present place.
Eigen::Vector2d PlanFootstep(const FootstepConfig& config, const FootstepQuery& query);

}  // namespace tread

//! Degrees as meters: [`Projection`].

/// The mean radius of the earth, in meters.
const RADIUS: f64 = 6_371_008.8;

/// The equirectangular projection around a place: right to a few parts in ten thousand over a town,
/// and to a percent over a hundred kilometers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Projection {
    longitude: f64,
    latitude: f64,
    /// How long a degree is, to the east and to the north.
    degree: [f64; 2],
}

impl Projection {
    pub(crate) fn around(longitude: f64, latitude: f64) -> Self {
        let north = RADIUS * std::f64::consts::PI / 180.0;
        let east = north * libm::cos(latitude * std::f64::consts::PI / 180.0);
        Projection { longitude, latitude, degree: [east, north] }
    }

    /// How far a place is to the east and to the north.
    pub(crate) fn meters(&self, longitude: f64, latitude: f64) -> [f64; 2] {
        let [east, north] = self.degree;
        [(longitude - self.longitude) * east, (latitude - self.latitude) * north]
    }
}
